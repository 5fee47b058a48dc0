// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.detector.BlockScoring;
import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.ScoreTable;
import dev.nescio.detector.Scores;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.io.score.ScoreStream;
import dev.nescio.model.block.BlockPass;
import dev.nescio.problem.BadInput;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Scores a packed graph block by block and writes each block when it is there. */
final class BlockScores {

    private final Detector detector;
    private final Decisions.Wishes wishes;
    private final CommonFlags common;
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Set<String> remarks = new LinkedHashSet<>();
    private long nodes;

    BlockScores(Detector detector, Decisions.Wishes wishes, CommonFlags common) {
        this.detector = detector;
        this.wishes = wishes;
        this.common = common;
    }

    /**
     * @param dress the last change of every block's table
     */
    void write(
            PackedGraph graph,
            BlockPass.Options limits,
            boolean probabilities,
            UnaryOperator<ScoreTable> dress,
            Path out) {
        try (ProgressBar bar = common.progress("scoring")) {
            ScoreStream.write(
                    out,
                    (Consumer<ScoreTable> stream) -> BlockScoring.score(
                            detector,
                            graph,
                            limits,
                            scores -> stream.accept(dress.apply(table(scores, probabilities))),
                            (done, total) -> bar.at(done, total, stage(done, graph.nodes(), total))));
        } catch (UncheckedIOException e) {
            throw new BadInput(out + " cannot be written: " + AtomicFile.reason(e), e);
        }
        report(out);
    }

    private static String stage(long done, int nodes, long total) {
        long stages = total / nodes;
        return String.format(Locale.ROOT, "stage %d of %d", Math.min(stages, done / nodes + 1), stages);
    }

    private ScoreTable table(Scores scores, boolean probabilities) {
        Decisions decisions = Decisions.of(scores, wishes);
        if (nodes == 0) {
            remarks.addAll(decisions.remarks());
        }
        nodes += scores.nodes();
        count("flagged", decisions.flagged());
        count("abstains", decisions.abstains());
        return ScoreTable.of(scores, decisions, probabilities);
    }

    private void count(String what, boolean @Nullable [] marks) {
        if (marks != null) {
            long marked = 0;
            for (boolean mark : marks) {
                marked += mark ? 1 : 0;
            }
            counts.merge(what, marked, Long::sum);
        }
    }

    private void report(Path out) {
        remarks.stream()
                .filter(remark -> !remark.contains("are training nodes"))
                .forEach(common::note);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("scores", out.toString());
        json.put("nodes", nodes);
        json.putAll(counts);
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%s: %,d nodes", out, nodes));
        counts.forEach((what, count) -> text.append(String.format(Locale.ROOT, ", %s %,d", what, count)));
        common.print(json, text.toString());
    }

    /** What is needed, in words. */
    static String plan(Detector detector, PackedGraph graph, long memory) {
        return String.format(
                Locale.ROOT,
                "would score %,d nodes of %s block by block; memory about %,d MiB, temporary files about %,d MiB",
                graph.nodes(),
                graph.name(),
                memory >> 20,
                BlockPass.diskBytes(detector.model(), graph) >> 20);
    }
}
