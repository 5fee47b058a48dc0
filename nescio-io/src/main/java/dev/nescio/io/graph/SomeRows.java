// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.io.table.TableReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some rows of a table, as if they were all. */
final class SomeRows implements TableReader {

    private final TableReader all;
    private int left;
    private boolean isWaiting;
    private boolean hasMore;

    SomeRows(TableReader all, int most) {
        this(all, most, false);
    }

    /** @param isWaiting whether the table is at a row already that nobody has seen */
    SomeRows(TableReader all, int most, boolean isWaiting) {
        this.all = all;
        this.left = most;
        this.isWaiting = isWaiting;
        this.hasMore = isWaiting;
    }

    /** Whether there are rows behind these; the table is at the first of them then. */
    boolean hasMore() {
        return hasMore;
    }

    @Override
    public boolean next() {
        boolean isThere = isWaiting || all.next();
        isWaiting = false;
        hasMore = isThere && left == 0;
        return isThere && left-- > 0;
    }

    @Override
    public String file() {
        return all.file();
    }

    @Override
    public List<String> columns() {
        return all.columns();
    }

    @Override
    public @Nullable String text(int column) {
        return all.text(column);
    }

    @Override
    public double number(int column) {
        return all.number(column);
    }

    @Override
    public long row() {
        return all.row();
    }

    @Override
    public String place(long row) {
        return all.place(row);
    }

    @Override
    public void close() {}
}
