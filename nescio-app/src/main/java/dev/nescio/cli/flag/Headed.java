// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

/** Options that stand under a heading of their own in the help. */
public interface Headed {

    String heading();
}
