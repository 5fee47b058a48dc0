// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.spark.serializer.SerializationStream;
import scala.reflect.ClassTag;

/** Writes messages behind each other, by way of room that is made once. */
final class MessageWriter extends SerializationStream {

    private final DataOutputStream to;
    private byte[] room = new byte[0];

    MessageWriter(OutputStream to) {
        this.to = new DataOutputStream(to);
    }

    /** Whoever reads a message is the one that it goes to, and knows its number. */
    @Override
    public <T> SerializationStream writeKey(T block, ClassTag<T> type) {
        return this;
    }

    @Override
    public <T> SerializationStream writeObject(T message, ClassTag<T> type) {
        try {
            Message.Outgoing outgoing = (Message.Outgoing) message;
            if (room.length < outgoing.size()) {
                room = new byte[outgoing.size()];
            }
            outgoing.write(to, room);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    @Override
    public void flush() {
        try {
            to.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            to.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
