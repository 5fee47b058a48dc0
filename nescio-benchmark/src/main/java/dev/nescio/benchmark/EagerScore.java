// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.random.Rng;
import java.util.List;
import java.util.concurrent.Callable;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Tensor;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The work of {@link ScoreBenchmark} in plain operations of libtorch, see {@link Eager}: {@code score.py} without Python. */
@CommandLine.Command(name = "eager-score", mixinStandardHelpOptions = true)
final class EagerScore implements Callable<Integer> {

    /** Principal components as {@code torch.pca_lowrank} finds them, with as many vectors as columns and two iterations. */
    private static final String SOURCE = """

            def components(x):
                a = x - x.mean([0])
                q = torch.linalg_qr(torch.mm(a, torch.randn([a.size(1), a.size(1)])))[0]
                for i in range(2):
                    q = torch.linalg_qr(torch.mm(a.t(), q))[0]
                    q = torch.linalg_qr(torch.mm(a, q))[0]
                s, v = torch.linalg_svd(torch.mm(q.t(), a), False)[1:]
                share = (s ** 2).cumsum(0) / (s ** 2).sum()
                kept = int((share < 0.95).sum()) + 1
                return v[:kept].t()

            def score(x0, x1, x2, v0, v1, v2, train: int):
                z = torch.cat([torch.mm(x0 - x0.mean([0]), v0), torch.mm(x1 - x1.mean([0]), v1),
                               torch.mm(x2 - x2.mean([0]), v2)], 1)
                return torch.cdist(z, z[:train]).topk(5, 1, False)[0].mean([1]) ** 2
            """;

    @Option(names = "--nodes", defaultValue = "24492")
    int nodes;

    @Option(names = "--train", defaultValue = "12246")
    int train;

    @Option(names = "--dims", defaultValue = "512,512,512", split = ",")
    List<Integer> dims;

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Option(names = "--repeat", defaultValue = "3")
    int repeat;

    @Override
    public Integer call() {
        Eager.useThreads(threads);
        Rng rng = new Rng(0);
        List<Tensor> states = dims.stream()
                .map(d -> Eager.floats(RandomGraph.lowRank(nodes, d, d / 4, rng).values())
                        .view(nodes, d))
                .toList();
        CompilationUnit unit = Eager.compile(SOURCE, 18);
        double fit = Double.MAX_VALUE;
        double score = Double.MAX_VALUE;
        try (NoGradGuard off = new NoGradGuard()) {
            for (int i = 0; i < repeat; i++) {
                try (PointerScope scope = new PointerScope()) {
                    long start = System.nanoTime();
                    List<Tensor> maps = states.stream()
                            .map(x -> call(unit, "components", new IValue(x)))
                            .toList();
                    long middle = System.nanoTime();
                    call(
                            unit,
                            "score",
                            new IValue(states.get(0)),
                            new IValue(states.get(1)),
                            new IValue(states.get(2)),
                            new IValue(maps.get(0)),
                            new IValue(maps.get(1)),
                            new IValue(maps.get(2)),
                            new IValue(train));
                    fit = Math.min(fit, (middle - start) / 1e6);
                    score = Math.min(score, (System.nanoTime() - middle) / 1e6);
                }
            }
        }
        System.out.printf(
                "{\"nodes\": %d, \"train\": %d, \"threads\": %d, \"fit_ms\": %.0f, \"score_ms\": %.0f}%n",
                nodes, train, threads, fit, score);
        return 0;
    }

    private static Tensor call(CompilationUnit unit, String name, IValue... arguments) {
        return unit.find_function(new QualifiedName(name))
                .apply(new IValueVector(arguments))
                .toTensor();
    }
}
