// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingLogTest {

    @TempDir
    Path folder;

    @Test
    void oneLineAndOneEventPerEpoch() throws IOException {
        try (TrainingLog log = new TrainingLog(folder.resolve("log"))) {
            log.epoch(new TrainingListener.Epoch(1, 0.5, 0.25, 1, 0.25));
            log.epoch(new TrainingListener.Epoch(200, 0.125, 0.75, 200, 0.75));
        }

        assertThat(folder.resolve("log/epochs.csv")).content().isEqualTo("""
                epoch,loss,validation_accuracy,best_epoch,best_validation_accuracy
                1,0.5,0.25,1,0.25
                200,0.125,0.75,200,0.75
                """);
        ByteBuffer events = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("log/events.out.tfevents.0.nescio")))
                .order(ByteOrder.LITTLE_ENDIAN);
        // The first record is known to the byte: the version of the format, with TensorFlow's masked checksums.
        assertThat(events.getLong()).isEqualTo(26);
        byte[] records = events.array();
        assertThat(new String(records, StandardCharsets.ISO_8859_1))
                .contains("brain.Event:2", "loss", "validation_accuracy");
        int count = 0;
        for (int at = 0; at < records.length; count++) {
            at += 16 + (int) events.getLong(at);
        }
        assertThat(count).isEqualTo(3);
    }

    /** What a full disk answers. */
    private static final class Full extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    @Test
    void aFullDiskIsSaidWithTheNameOfTheLog() throws IOException {
        Path place = folder.resolve("log");
        TrainingListener.Epoch epoch = new TrainingListener.Epoch(1, 0.5, 0.25, 1, 0.25);
        for (boolean isTable : new boolean[] {true, false}) {
            OutputStream table = isTable ? new Full() : OutputStream.nullOutputStream();
            OutputStream events = isTable ? OutputStream.nullOutputStream() : new Full();
            TrainingLog log = new TrainingLog(place, new OutputStreamWriter(table, StandardCharsets.UTF_8), events);
            assertThatThrownBy(() -> log.epoch(epoch))
                    .isInstanceOf(BadInput.class)
                    .hasMessage("the log " + place + " cannot be written: No space left on device");
        }
    }
}
