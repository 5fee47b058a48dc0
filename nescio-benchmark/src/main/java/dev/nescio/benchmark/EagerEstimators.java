// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.graph.Graph;
import dev.nescio.matrix.DenseMatrix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The work of {@link EstimatorsBenchmark} in plain operations of libtorch, see {@link Eager}: {@code estimators.py} without Python. */
@CommandLine.Command(name = "eager-estimators", mixinStandardHelpOptions = true)
final class EagerEstimators implements Callable<Integer> {

    private static final int CLASSES = 5;

    /** x, four operators (normalised, mean with itself, mean of neighbours, loops alone), labels, 18 weights, then what was fitted. */
    private static final String SOURCE = """

            def states(t: List[Tensor], operator: int, train: bool):
                return res_gcn_states(t[0], t[operator], t[6:24], train)

            def logits(t: List[Tensor], operator: int, train: bool):
                return res_gcn_logits(states(t, operator, train)[2], t[6:24])

            def embed(t: List[Tensor]):
                s = states(t, 1, False)
                return torch.cat([torch.mm(s[i] - t[24 + 2 * i], t[25 + 2 * i]) for i in range(3)], 1)

            def distance(h, means, variances):
                return torch.stack([((h - means[c]) ** 2 / variances[c]).sum([1]) for c in range(means.size(0))], 1)

            def diffuse(e, operator, steps: int):
                for i in range(steps):
                    e = 0.5 * e + 0.5 * torch._sparse_mm(operator, e)
                return e

            def forward(ALL):
                return logits([ALL], 1, False)

            def ebm(ALL):
                return -torch.logsumexp(logits([ALL], 1, False), [1])

            def gnnsafe(ALL):
                t = [ALL]
                return diffuse(-torch.logsumexp(logits(t, 1, False), [1], True), t[3], 2)

            def gebm(ALL):
                t = [ALL]
                logits(t, 1, False)
                h = states(t, 4, False)[2]
                far = (distance(h, t[32], t[33]) - t[36]) / (t[37] - t[36]) * (t[39] - t[38]) + t[38]
                e = res_gcn_logits(h, t[6:24]) - far
                alone = -torch.logsumexp(e, [1], True)
                return -torch.logsumexp(diffuse(e, t[2], 10), [1], True) + diffuse(alone, t[2], 10) + alone

            def jlde(ALL):
                t = [ALL]
                return torch.cdist(embed(t), t[30]).topk(5, 1, False)[0].mean([1]) ** 2

            def jlde_kde(ALL):
                t = [ALL]
                d = torch.cdist(embed(t), t[30])
                return -torch.logsumexp(d.square_().div_(-2 * t[31] ** 2), [1])

            def jlde_mixture(ALL):
                t = [ALL]
                e = embed(t)
                logs = [-0.5 * ((e - t[34][c]) ** 2 / t[35][c] + t[35][c].log()).sum([1]) for c in range(t[34].size(0))]
                return -torch.logsumexp(torch.stack(logs, 1), [1])

            def mcd(ALL):
                return torch.stack([torch.softmax(logits([ALL], 1, True), 1) for i in range(50)]).var([0]).mean([1])

            def ensemble(ALL):
                return torch.stack([torch.softmax(logits([ALL], 1, False), 1) for i in range(10)]).var([0]).mean([1])

            def train_logits(ALL):
                return logits([ALL], 1, True)

            def hidden0(ALL):
                return states([ALL], 1, False)[0]

            def hidden1(ALL):
                return states([ALL], 1, False)[1]

            def hidden2(ALL):
                return states([ALL], 1, False)[2]

            def embedding(ALL):
                return embed([ALL])

            def components(x):
                a = x - x.mean([0])
                values, vectors = torch.linalg_eigh(torch.mm(a.t(), a))
                share = values.flip([0]).cumsum(0) / values.sum()
                kept = int((share < 0.95).sum()) + 1
                return vectors.flip([1])[:, :kept].contiguous()

            def class_means(x, y, classes: int):
                return torch.stack([x[y == c].mean([0]) for c in range(classes)])

            def class_variances(x, y, classes: int):
                return torch.stack([x[y == c].var([0], False) + 1e-6 for c in range(classes)])

            def bandwidth(z):
                nearest = [torch.cdist(b, z).topk(2, 1, False)[0][:, 1] for b in z.split(1024)]
                return torch.cat(nearest).median()

            def low(x):
                return x.sort(0)[0][int(0.025 * x.size(0))]

            def high(x):
                return x.sort(0)[0][int(0.975 * x.size(0)) - 1]
            """;

    @Option(names = "--nodes", defaultValue = "24492")
    int nodes;

    @Option(names = "--edges", defaultValue = "93050")
    int edges;

    @Option(names = "--features", defaultValue = "300")
    int features;

    @Option(names = "--hidden", defaultValue = "512")
    int hidden;

    @Option(names = "--threads", defaultValue = "2")
    int threads;

    @Option(names = "--repeat", defaultValue = "3")
    int repeat;

    @Option(
            names = "--estimators",
            split = ",",
            defaultValue = "ebm,gnnsafe,gebm,jlde,jlde-kde,jlde-mixture,mcd,ensemble")
    List<String> names;

    private final List<Tensor> given = new ArrayList<>();

    @Override
    public Integer call() {
        Eager.useThreads(threads);
        Graph graph = RandomGraph.falling(nodes, edges, features, CLASSES);
        DenseMatrix x = (DenseMatrix) graph.features();
        EagerGraph eager = EagerGraph.of(graph, x);
        given.addAll(
                List.of(eager.x(), eager.adjacency(), eager.mean(), eager.neighbours(), eager.alone(), eager.labels()));
        TensorVector weights = Eager.weights("res-gcn", features, hidden, CLASSES);
        for (long i = 0; i < weights.size(); i++) {
            given.add(weights.get(i));
        }
        Tensor training = Eager.longs(
                IntStream.range(0, nodes).filter(v -> v % 2 == 0).asLongStream().toArray());
        train(weights, training, eager.labels());
        Map<String, Double> milliseconds = new LinkedHashMap<>();
        try (NoGradGuard off = new NoGradGuard()) {
            fit(training, eager.labels().index_select(0, training));
            CompilationUnit unit = compiled();
            List<String> all = new ArrayList<>(names);
            all.add(0, "forward");
            for (int round = 0; round < repeat; round++) {
                for (String name : all) {
                    long start = System.nanoTime();
                    try (PointerScope scope = new PointerScope()) {
                        run(unit, name.replace('-', '_'));
                    }
                    milliseconds.merge(name, (System.nanoTime() - start) / 1e6, Math::min);
                }
            }
        }
        System.out.println(milliseconds.entrySet().stream()
                .map(e -> String.format(Locale.ROOT, "\"%s\": %.0f", e.getKey(), e.getValue()))
                .collect(Collectors.joining(
                        ", ", "{\"dimensions\": " + given.get(30).size(1) + ", ", "}")));
        return 0;
    }

    private void train(TensorVector weights, Tensor training, Tensor labels) {
        CompilationUnit unit = compiled();
        Adam adam = new Adam(weights, new AdamOptions(1e-3));
        for (int i = 0; i < 10; i++) {
            try (PointerScope scope = new PointerScope()) {
                adam.zero_grad();
                torch.cross_entropy_loss(
                                run(unit, "train_logits").index_select(0, training), labels.index_select(0, training))
                        .backward();
                adam.step();
            }
        }
    }

    /** Appends what the estimators have fitted, in the order in which the source reads it. */
    private void fit(Tensor training, Tensor labels) {
        CompilationUnit unit = compiled();
        for (int i = 0; i < 3; i++) {
            Tensor state = run(compiled(), "hidden" + i);
            given.add(state.mean(0));
            given.add(call(unit, "components", new IValue(state)));
        }
        Tensor joint = run(compiled(), "embedding").index_select(0, training);
        given.add(joint);
        given.add(call(unit, "bandwidth", new IValue(joint)));
        Tensor last = run(compiled(), "hidden2");
        for (Tensor rows : List.of(last.index_select(0, training), joint)) {
            for (String moment : List.of("class_means", "class_variances")) {
                given.add(call(unit, moment, new IValue(rows), new IValue(labels), new IValue(CLASSES)));
            }
        }
        Tensor logits = run(compiled(), "forward");
        Tensor distances =
                call(unit, "distance", new IValue(last), new IValue(given.get(32)), new IValue(given.get(33)));
        for (Tensor values : List.of(distances, logits)) {
            given.add(call(unit, "low", new IValue(values)));
            given.add(call(unit, "high", new IValue(values)));
        }
    }

    /** For as many tensors as are given now. */
    private CompilationUnit compiled() {
        String all = IntStream.range(0, given.size()).mapToObj(i -> "t" + i).collect(Collectors.joining(", "));
        return Eager.compile(SOURCE.replace("ALL", all), 18);
    }

    private Tensor run(CompilationUnit unit, String name) {
        return call(unit, name, given.stream().map(IValue::new).toArray(IValue[]::new));
    }

    private static Tensor call(CompilationUnit unit, String name, IValue... arguments) {
        return unit.find_function(new QualifiedName(name))
                .apply(new IValueVector(arguments))
                .toTensor();
    }
}
