// SPDX-License-Identifier: Apache-2.0
package dev.nescio.progress;

/** Is told how far a long computation has come, by any of its threads. */
@FunctionalInterface
public interface Progress {

    Progress NONE = (done, total) -> {};

    void at(long done, long total);
}
