// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.option.Key;

/** How a row was made, and from what. */
record Origin(Key key, String fingerprint) {

    static Origin of(Row row) {
        return new Origin(row.provenance().key(), row.provenance().fingerprint());
    }

    static Origin of(Group group, Group.Work piece) {
        return new Origin(group.key(piece), group.data().fingerprint());
    }

    Origin withoutSeed() {
        return new Origin(Group.withoutSeed(key), fingerprint);
    }

    /** The splits and initialisations of a line are taken together in tables: they must be made in the same way. */
    static String line(Cell cell) {
        return String.join(
                "\t", cell.data(), cell.model(), cell.estimator(), cell.shift().name());
    }
}
