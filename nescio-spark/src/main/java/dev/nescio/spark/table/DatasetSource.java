// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.table;

import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TableSource;
import dev.nescio.io.table.TableReader;
import java.util.Arrays;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A Dataset that the driver reads from the beginning, a partition at a time.
 *
 * @param place what messages call it
 */
public record DatasetSource(String place, Dataset<Row> table) implements TableSource {

    @Override
    public TableReader open(TableGraph.Listener listener) {
        Column[] columns = Arrays.stream(table.columns())
                .map(name -> GraphTables.readable(table, name))
                .toArray(Column[]::new);
        return new RowsReader(place, table.schema(), table.select(columns).toLocalIterator());
    }

    @Override
    public long rows() {
        return table.count();
    }

    @Override
    public String state() {
        return "";
    }
}
