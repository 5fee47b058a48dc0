// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import org.apache.spark.sql.SparkSession;

/** A Spark of two cores within this process. */
public final class LocalSpark {

    private LocalSpark() {}

    /** With further settings, each a name and a value. */
    public static SparkSession start(String... settings) {
        SparkSession.Builder builder = SparkSession.builder()
                .master("local[2]")
                .appName("tests")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", "4")
                .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir"));
        for (int i = 0; i < settings.length; i += 2) {
            builder.config(settings[i], settings[i + 1]);
        }
        return builder.getOrCreate();
    }
}
