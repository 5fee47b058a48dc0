// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.serializer.DeserializationStream;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/** Reads what {@link MessageWriter} has written, and closes it when all is read. */
final class MessageReader extends DeserializationStream {

    /** Stands where Spark wants to see the block that a message went to. */
    private static final Integer HERE = 0;

    private final PushbackInputStream ahead;
    private final DataInputStream from;

    MessageReader(InputStream from) {
        this.ahead = new PushbackInputStream(from, 1);
        this.from = new DataInputStream(ahead);
    }

    @Override
    public scala.collection.Iterator<Tuple2<Object, Object>> asKeyValueIterator() {
        return CollectionConverters.asScala(new Iterator<Tuple2<Object, Object>>() {
            private boolean isOver;

            @Override
            public boolean hasNext() {
                if (!isOver && !hasMore()) {
                    isOver = true;
                    close();
                }
                return !isOver;
            }

            @Override
            public Tuple2<Object, Object> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return new Tuple2<>(HERE, read());
            }
        });
    }

    private boolean hasMore() {
        try {
            int next = ahead.read();
            if (next >= 0) {
                ahead.unread(next);
            }
            return next >= 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Message read() {
        try {
            return Message.read(from);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T readObject(ClassTag<T> type) {
        return (T) read();
    }

    @Override
    public void close() {
        try {
            from.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
