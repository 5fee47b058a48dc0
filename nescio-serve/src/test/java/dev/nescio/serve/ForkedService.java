// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import dev.nescio.detector.Detector;
import dev.nescio.io.detector.DetectorFile;
import java.nio.file.Path;

/** A service in a process of its own, to be killed: the detector's file and the store are its arguments. */
final class ForkedService {

    private ForkedService() {}

    public static void main(String[] args) throws InterruptedException {
        Service service = Service.listen(Example.options().withStore(Path.of(args[1])));
        Detector detector = DetectorFile.read(Path.of(args[0]));
        service.serve(new Source.OfGraph("example", detector, Example.plainGraph(), schema -> Example.plainGraph()));
        System.out.println(service.address());
        System.out.flush();
        Thread.sleep(Long.MAX_VALUE);
    }
}
