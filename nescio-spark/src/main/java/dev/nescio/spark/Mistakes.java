// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.BadModelFile;
import java.util.stream.Stream;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.jspecify.annotations.Nullable;

/** Which failures are mistakes of the user, wherever in the cluster they were found. */
final class Mistakes {

    private Mistakes() {}

    /** What was wrong, in one sentence; null where it was no mistake of the user. */
    static @Nullable String of(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, (Throwable cause) -> cause.getCause())
                .filter(Mistakes::isMistake)
                .findFirst()
                .map(Mistakes::sentence)
                .orElse(null);
    }

    private static boolean isMistake(Throwable cause) {
        return cause instanceof BadInput
                || cause instanceof BadConfiguration
                || cause instanceof BadModelFile
                || cause instanceof AnalysisException
                || (cause instanceof SparkThrowable known
                        && known.getCondition() != null
                        && (known.getCondition().startsWith("FAILED_READ_FILE")
                                || known.getCondition().equals("USER_RAISED_EXCEPTION")));
    }

    /** The first line of a message, without the names that Spark has for its errors. */
    static String sentence(Throwable cause) {
        return String.valueOf(cause.getMessage())
                .lines()
                .findFirst()
                .orElse("")
                .replaceFirst("^\\[[A-Z_.]+] ", "")
                .replaceFirst(" SQLSTATE: .*", "");
    }
}
