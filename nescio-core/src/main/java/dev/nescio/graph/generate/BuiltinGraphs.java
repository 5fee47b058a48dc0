// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.generate;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.graph.split.StratifiedSplit;
import dev.nescio.problem.BadConfiguration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Graphs that need no file, by name and settings: {@code blocks}, {@code moons?homophily=0.4&degree=6}. Every one comes
 * with ten random splits named 0 to 9.
 */
public final class BuiltinGraphs {

    private static final int SPLITS = 10;

    private static final Map<String, Recipe> RECIPES = recipes();

    private BuiltinGraphs() {}

    /** How a built-in graph is made. */
    private record Recipe(String summary, Settings defaults, StratifiedSplit split, Maker maker) {}

    private interface Maker {
        Graph make(Settings settings);
    }

    private static Map<String, Recipe> recipes() {
        Map<String, Recipe> recipes = new LinkedHashMap<>();
        recipes.put(
                "blocks",
                blocks(
                        "blocks",
                        "five classes on a ring, heterophilic; leave out class 4 to have an unseen class",
                        0.1,
                        BlockModel::ringCompatibility));
        recipes.put(
                "mixed",
                blocks(
                        "mixed",
                        "classes whose neighbours of other classes are spread evenly, homophily 0 to 1",
                        0.5,
                        BlockModel::evenCompatibility));
        recipes.put(
                "moons",
                new Recipe(
                        "two half-moons and a class of anomalies, the paper's synthetic graph; leave out class 2",
                        Settings.of("nodes=500&degree=6&homophily=0.2&noise=0.05&seed=0"),
                        new StratifiedSplit("moons", 0.2, 0.3, false),
                        s -> new Moons(s.whole("nodes"), s.whole("degree"), s.number("homophily"), s.number("noise"))
                                .generate(s.whole("seed"))));
        return recipes;
    }

    private static Recipe blocks(
            String name, String summary, double homophily, BiFunction<Integer, Double, double[][]> compatibility) {
        return new Recipe(
                summary,
                Settings.of(
                        "nodes=3000&classes=5&homophily=" + homophily + "&degree=10&features=32&separation=2&seed=0"),
                new StratifiedSplit(name, 0.5, 0.25, false),
                s -> new BlockModel(
                                s.whole("nodes"),
                                compatibility.apply(s.whole("classes"), s.number("homophily")),
                                s.number("degree"),
                                s.whole("features"),
                                s.number("separation"))
                        .generate(name, s.whole("seed")));
    }

    /** Name, settings and summary of each, for people. */
    public static Map<String, String> list() {
        Map<String, String> lines = new TreeMap<>();
        RECIPES.forEach((name, recipe) -> lines.put(name + "?" + recipe.defaults, recipe.summary));
        return lines;
    }

    /** Makes {@code name} or {@code name?key=value&...}. */
    public static Graph make(String request) {
        int mark = request.indexOf('?');
        String name = mark < 0 ? request : request.substring(0, mark);
        Recipe recipe = RECIPES.get(name);
        if (recipe == null) {
            throw new BadConfiguration(
                    "there is no built-in graph '" + name + "'; there are " + String.join(", ", RECIPES.keySet()));
        }
        Settings settings = mark < 0 ? recipe.defaults : recipe.defaults.changed(request.substring(mark + 1));
        Graph graph = recipe.maker.make(settings);
        Graph.Builder withSplits = graph.with();
        for (int i = 0; i < SPLITS; i++) {
            Split drawn = recipe.split.draw(graph, i);
            withSplits.split(new Split(Integer.toString(i), drawn.train(), drawn.validation(), drawn.test()));
        }
        return withSplits.build();
    }
}
