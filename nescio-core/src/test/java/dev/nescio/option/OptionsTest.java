// SPDX-License-Identifier: Apache-2.0
package dev.nescio.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadConfiguration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {

    enum Colour {
        DARK_RED,
        BLUE
    }

    private static final Option<Integer> SIZE = Option.of("size", Kind.count(), 5, "How large.");
    private static final Option<Double> SHARE =
            Option.of("share", Kind.number("a number from 0 to 1", x -> x >= 0 && x <= 1), 0.5, "How much.");
    private static final Option<Colour> COLOUR =
            Option.of("colour", Kind.constant(Colour.class), Colour.BLUE, "Which colour.");
    private static final Option<List<Long>> PARTS = Option.of("parts", Kind.list(Kind.whole()), List.of(), "Which.");
    private static final Option<Boolean> LOUD = Option.flag("loud", "Whether to shout.");
    private static final OptionGroup GROUP = OptionGroup.of("the thing", SIZE, SHARE, COLOUR, PARTS, LOUD);

    @Test
    void valuesThatAreNotGivenHaveTheirDefault() {
        Options options = GROUP.parse(Map.of("size", "7", "parts", "0|-1"));

        assertThat(options.get(SIZE)).isEqualTo(7);
        assertThat(options.get(SHARE)).isEqualTo(0.5);
        assertThat(options.get(PARTS)).containsExactly(0L, -1L);
        assertThat(options.with(COLOUR, Colour.DARK_RED)).hasToString("colour=dark_red,parts=0|-1,size=7");
        assertThat(GROUP.defaults()).hasToString("").isEqualTo(GROUP.parse(Map.of("size", "5")));
        assertThat(GROUP.parse(options.texts())).isEqualTo(options);
        assertThat(GROUP.parse(Map.of("parts", "1, 2")).get(PARTS)).containsExactly(1L, 2L);
    }

    @Test
    void whatIsOutsideTheLimitsIsRefusedHoweverItIsGiven() {
        assertThatThrownBy(() -> GROUP.parse(Map.of("size", "0")))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("size must be a whole number of at least 1, got '0'");
        assertThatThrownBy(() -> GROUP.defaults().with(SHARE, 1.5))
                .hasMessage("share must be a number from 0 to 1, got '1.5'");
        assertThatThrownBy(() -> GROUP.parse(Map.of("colour", "green")))
                .hasMessage("colour must be one of dark_red, blue, got 'green'");
        assertThatThrownBy(() -> GROUP.parse(Map.of("loud", "yes")))
                .hasMessage("loud must be true or false, got 'yes'");
        assertThatThrownBy(() -> GROUP.parse(Map.of("share", "NaN"))).isInstanceOf(BadConfiguration.class);
    }

    @Test
    void unknownNamesAreRefusedWithTheNearestKnownOne() {
        assertThatThrownBy(() -> GROUP.parse(Map.of("sice", "1")))
                .hasMessage(
                        "the thing has no option 'sice'; did you mean 'size'? There are size, share, colour, parts, loud");
        assertThatThrownBy(() -> GROUP.restore(Map.of("louder", "true"))).hasMessageContaining("did you mean 'loud'?");
        assertThatThrownBy(() -> OptionGroup.of("twice", SIZE, SIZE)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A version of Nescio with one more option finds everything that this one has stored. */
    @Test
    void aNewOptionWithADefaultChangesNoKeyAndNoFile() {
        Option<Integer> added = Option.of("added", Kind.count(), 3, "New.");
        OptionGroup next = GROUP.and("the thing", added);
        Options now = GROUP.defaults().with(SIZE, 9);
        Options later = next.parse(now.texts());

        assertThat(Key.empty().and("model", later)).isEqualTo(Key.empty().and("model", now));
        assertThat(next.restore(now.stored())).isEqualTo(later);
        assertThat(next.restore(now.texts()).get(added)).isEqualTo(3);
        assertThat(Key.empty().and("model", later.with(added, 4)))
                .hasToString("model.added=4,model.size=9")
                .isNotEqualTo(Key.empty().and("model", now));
    }

    @Test
    void aNewDefaultLeavesWhatWasStoredAsItWas() {
        Option<Integer> wider = SIZE.withDefault(8);
        OptionGroup next = OptionGroup.of("the thing", wider);
        String before = Key.empty().and("model", GROUP.defaults()).toString();

        assertThat(next.defaults().get(wider)).isEqualTo(8);
        assertThat(next.restore(Map.of()).get(wider)).isEqualTo(5);
        assertThat(Key.empty().and("model", next.restore(Map.of()))).hasToString(before);
        assertThat(Key.empty().and("model", next.defaults())).hasToString("model.size=8");
    }

    @Test
    void keysComeBackFromTheirText() {
        Key key = Key.empty()
                .and("model", GROUP.parse(Map.of("size", "2", "parts", "0|1")))
                .and("training", Map.of("seed", "7"));

        assertThat(Key.parse(key.toString())).isEqualTo(key).hasSameHashCodeAs(key);
        assertThat(Key.parse("")).isEqualTo(Key.empty());
        assertThat(key.without("training", Option.of("seed", Kind.whole(), 0L, "Seed.")))
                .hasToString("model.parts=0|1,model.size=2");
        assertThatThrownBy(() -> Key.parse("model.size")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theNearestNameIsTheOneWithTheFewestChanges() {
        assertThat(Nearest.to("lerning-rate", List.of("layers", "learning-rate", "seed")))
                .isEqualTo("learning-rate");
        assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Nearest.hint("x", List.of())).isEqualTo("there are none");
    }
}
