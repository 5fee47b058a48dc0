// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.problem.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings results from elsewhere into a store: those of another folder, or rows that were exported as CSV or Parquet. What is there
 * already stays as it is.
 *
 * @param added rows that were not there
 * @param there rows whose cells were there already
 */
public record Import(int added, int there) {

    /** All that a source has. A file of rows has neither bins nor statistics. */
    private record Source(List<Row> rows, List<Store.Bin> bins, List<Store.Statistic> statistics) {

        static Source of(Path place) {
            if (!Files.isDirectory(place)) {
                return new Source(RowsFile.read(place), List.of(), List.of());
            }
            Store store = Store.open(place);
            return new Source(store.rows(), store.bins(), store.statistics());
        }
    }

    /**
     * Adds the rows of a source that are not in the store of a folder, in one transaction. Refuses all of them where rows that
     * stand in one line of a table would have been made in different ways.
     */
    public static Import into(Path folder, Path from) {
        Source source = Source.of(from);
        Store store = Store.create(folder);
        List<Row> old = store.rows();
        requireSameOrigins(old, source.rows(), from);
        Set<Cell> there = old.stream().map(Row::cell).collect(Collectors.toSet());
        List<Row> fresh = source.rows().stream()
                .filter(row -> !there.contains(row.cell()))
                .toList();
        store.add(
                fresh,
                source.bins().stream()
                        .filter(bin -> !there.contains(bin.cell()))
                        .toList());
        describe(store, source.statistics());
        return new Import(fresh.size(), source.rows().size() - fresh.size());
    }

    private static void requireSameOrigins(List<Row> old, List<Row> fresh, Path from) {
        Map<String, Origin> origins = new HashMap<>();
        Stream.concat(old.stream(), fresh.stream()).forEach(row -> {
            Origin own = Origin.of(row).withoutSeed();
            Origin other = origins.putIfAbsent(Origin.line(row.cell()), own);
            if (other != null && !other.equals(own)) {
                throw new BadInput(from + ": rows of "
                        + Origin.line(row.cell()).replace('\t', ' ') + " were made in different ways (options '"
                        + other.key() + "' and '" + own.key() + "', data " + other.fingerprint() + " and "
                        + own.fingerprint() + ")");
            }
        });
    }

    private static void describe(Store store, List<Store.Statistic> statistics) {
        Set<String> known =
                store.statistics().stream().map(Store.Statistic::data).collect(Collectors.toSet());
        statistics.stream()
                .filter(one -> !known.contains(one.data()))
                .collect(Collectors.groupingBy(Store.Statistic::data))
                .forEach(store::describe);
    }
}
