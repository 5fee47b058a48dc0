// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.problem.BadConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** A certificate and its key from PEM files. */
final class Tls {

    private static final char[] NO_PASSWORD = {};

    private Tls() {}

    static SslContextFactory.Server of(Path certificate, Path key) {
        try (InputStream in = Files.newInputStream(certificate)) {
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(in)
                    .toArray(Certificate[]::new);
            if (chain.length == 0) {
                throw new BadConfiguration(certificate + " holds no certificate");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("nescio", privateKey(key), NO_PASSWORD, chain);
            SslContextFactory.Server factory = new SslContextFactory.Server();
            factory.setKeyStore(store);
            factory.setKeyStorePassword("");
            factory.setSniRequired(false);
            factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
            return factory;
        } catch (IOException | GeneralSecurityException e) {
            throw new BadConfiguration("TLS cannot be set up with " + certificate + ": " + AtomicFile.reason(e), e);
        }
    }

    private static PrivateKey privateKey(Path file) {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new BadConfiguration("the key " + file + " cannot be read: " + AtomicFile.reason(e), e);
        }
        if (!text.contains("-----BEGIN PRIVATE KEY-----")) {
            throw new BadConfiguration(
                    file + " holds no private key in the form PKCS 8 ('BEGIN PRIVATE KEY'); 'openssl pkcs8 -topk8"
                            + " -nodes' converts others");
        }
        String base64 = text.replaceAll("(?s).*-----BEGIN PRIVATE KEY-----(.*)-----END PRIVATE KEY-----.*", "$1")
                .replaceAll("\\s", "");
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(decoded(base64, file));
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException e) {
                System.getLogger(Tls.class.getName()).log(System.Logger.Level.DEBUG, "not a key of " + algorithm, e);
            }
        }
        throw new BadConfiguration(file + " holds a private key of an unknown kind");
    }

    private static byte[] decoded(String base64, Path file) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new BadConfiguration(file + " holds a damaged private key", e);
        }
    }
}
