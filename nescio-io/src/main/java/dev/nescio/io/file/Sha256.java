// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The checksum of all our files. */
public final class Sha256 {

    private Sha256() {}

    /** Every Java has it. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
