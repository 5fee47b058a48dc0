// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.ModelOptions;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrainingViewTest {

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=200");
    private final Split split = graph.split("0");
    private final DetectorOptions options = DetectorOptions.defaults().withLeftOut(Set.of(1));

    private boolean isLeftOut(int node) {
        return graph.label(node) == 1;
    }

    @Test
    void holdsOutHalfOfTheValidationNodes() {
        TrainingView view = TrainingView.of(graph, split, options);
        long known = split.validation().stream().filter(v -> !isLeftOut(v)).count();

        assertThat(view.heldOut().size()).isEqualTo((int) known / 2);
        assertThat(view.split().validation().size() + view.heldOut().size()).isEqualTo((int) known);
        assertThat(view.split().validation().intersects(view.heldOut())).isFalse();
        assertThat(TrainingView.of(graph, split, options.withSeed(7)).heldOut()).isEqualTo(view.heldOut());
        assertThat(view.graph().classes()).containsExactly("0", "2", "3", "4");
        assertThat(view.split().train().stream()).noneMatch(this::isLeftOut);
    }

    @Test
    void heldOutNodesAreDrawnAtRandomFromTheWholeSet() {
        TrainingView view = TrainingView.of(graph, split, DetectorOptions.defaults());
        int[] validation = split.validation().toArray();

        assertThat(view.heldOut()).isNotEqualTo(NodeSet.of(Arrays.copyOf(validation, validation.length / 2)));
        assertThat(TrainingView.of(graph, graph.split("1"), DetectorOptions.defaults())
                        .heldOut())
                .isNotEqualTo(view.heldOut());
    }

    @Test
    void whatCannotBeTrainedIsRefused() {
        Split empty = new Split("empty", NodeSet.of(), split.validation(), split.test());
        assertThatThrownBy(() -> TrainingView.of(graph, empty, DetectorOptions.defaults()))
                .isInstanceOf(BadInput.class)
                .hasMessage("blocks: split 'empty' has no training nodes");
        assertThatThrownBy(() -> TrainingView.of(
                        graph,
                        split,
                        DetectorOptions.defaults().withArchitecture("gatv2").with(ModelOptions.HIDDEN, 12)))
                .hasMessage("the width 12 cannot be divided among 8 heads");
    }

    @Test
    void withoutHeldOutNodesAllValidationNodesDoBoth() {
        TrainingView view = TrainingView.of(graph, split, options.with(DetectorOptions.HELD_OUT, 0.0));

        assertThat(view.heldOut()).isEqualTo(view.split().validation());
    }

    @Test
    void droppedNodesLeaveNoTrace() {
        TrainingView view = TrainingView.of(graph, split, options.with(DetectorOptions.DROP_LEFT_OUT, true));
        int[] kept = IntStream.range(0, 200).filter(v -> !isLeftOut(v)).toArray();

        assertThat(view.graph().nodes()).isEqualTo(kept.length).isLessThan(200);
        for (int i = 0; i < kept.length; i++) {
            int v = kept[i];
            assertThat(view.graph().classes().get(view.graph().label(i)))
                    .isEqualTo(graph.classes().get(graph.label(v)));
            assertThat(view.graph().ids().name(i)).isEqualTo(graph.ids().name(v));
            assertThat(view.graph().features().get(i, 0))
                    .isEqualTo(graph.features().get(v, 0));
            assertThat(neighbours(view.graph(), i).map(u -> kept[u]))
                    .containsExactlyElementsOf(neighbours(graph, v)
                            .filter(u -> !isLeftOut(u))
                            .boxed()
                            .toList());
            assertThat(view.split().train().contains(i)).isEqualTo(split.train().contains(v));
            assertThat(view.split().test().contains(i)).isEqualTo(split.test().contains(v));
        }
    }

    private static IntStream neighbours(Graph graph, int v) {
        Adjacency adjacency = graph.adjacency();
        return Arrays.stream(
                adjacency.neighbours(), adjacency.pointers()[v], adjacency.pointers()[v + 1]);
    }

    @Test
    void estimatorsAreCheckedBeforeAnythingIsTrained() {
        assertThatThrownBy(() -> TrainingView.of(graph, split, options.withEstimators("jlde:states=3")))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("there is no state 3; states go from 0 to 2, or from -1 back to -3");
        assertThatThrownBy(() -> options.withEstimators("mcd:passes=3", "mcd-entropy:passes=4"))
                .hasMessage(
                        "all estimators share the same samples, so there can be only one number of passes, got 3, 4");
    }
}
