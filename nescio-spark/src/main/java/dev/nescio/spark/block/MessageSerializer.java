// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;

/**
 * Writes the rows of messages as they are, and little else. What it has written for a message does not depend on any other one, so that
 * Spark may sort bytes instead of objects.
 */
final class MessageSerializer extends Serializer implements Serializable {

    @Override
    public boolean supportsRelocationOfSerializedObjects() {
        return true;
    }

    @Override
    public SerializerInstance newInstance() {
        return new Instance();
    }

    private static final class Instance extends SerializerInstance {

        @Override
        public SerializationStream serializeStream(OutputStream to) {
            return new MessageWriter(to);
        }

        @Override
        public DeserializationStream deserializeStream(InputStream from) {
            return new MessageReader(from);
        }

        @Override
        public <T> ByteBuffer serialize(T object, ClassTag<T> type) {
            throw onlyStreams();
        }

        @Override
        public <T> T deserialize(ByteBuffer bytes, ClassTag<T> type) {
            throw onlyStreams();
        }

        @Override
        public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> type) {
            throw onlyStreams();
        }

        private static UnsupportedOperationException onlyStreams() {
            return new UnsupportedOperationException("messages travel in shuffles alone");
        }
    }
}
