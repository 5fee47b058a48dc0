// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.data;

import dev.nescio.graph.Preprocessing;
import dev.nescio.io.data.DataSet.LeaveOut;
import dev.nescio.io.data.DataSet.Size;
import dev.nescio.io.data.DataSet.Version;
import dev.nescio.problem.BadConfiguration;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The registry of data sets. */
public final class DataSets {

    private static final String HETEROPHILOUS =
            "https://raw.githubusercontent.com/yandex-research/heterophilous-graphs/"
                    + "a431395582e929d88271309716bea4fe24ce6318/data/";
    /** Words of a page; without this the number of words would give the class away. */
    private static final Preprocessing ROWS_SUM_TO_1 = Preprocessing.of(false, Preprocessing.RowNorm.L1);

    private static final Preprocessing BAG_OF_WORDS = Preprocessing.of(true, Preprocessing.RowNorm.L1);

    private static final List<DataSet> ALL = List.of(
            heterophilous(
                    "roman_empire",
                    "Roman Empire",
                    new Version(
                            "roman_empire.npz",
                            20_401_489,
                            "a58ba741d123bf892fe5c872138d07463d75a2e9012360b8dd78ac2d4766d428"),
                    new Size(22_662, 65_854, 300, 18),
                    new LeaveOut(LeaveOut.Which.LAST, 7)),
            heterophilous(
                    "amazon_ratings",
                    "Amazon Ratings",
                    new Version(
                            "amazon_ratings.npz",
                            27_744_018,
                            "4c3a3e3b9d9f6cba0fede4625a00aad8c5721c1a36ed771367f446763241c7dd"),
                    new Size(24_492, 186_100, 300, 5),
                    new LeaveOut(LeaveOut.Which.LAST, 2)),
            new DataSet(
                    "amazon_ratings_cut",
                    "Amazon Ratings (cut)",
                    List.of(new Version(
                            "amazon_ratings_cut.npz",
                            27_739_689,
                            "9f2a257aaaeac6b6f0f917067544ab87f104b1b54c0d924f625759503210c90d")),
                    null,
                    new Size(24_492, 183_808, 300, 5),
                    Preprocessing.NONE,
                    true,
                    new LeaveOut(LeaveOut.Which.LAST, 2),
                    "not the official graph: 1.23 % of the edges are missing"),
            heterophilous(
                    "chameleon",
                    "Chameleon",
                    new Version(
                            "chameleon_filtered.npz",
                            58_924,
                            "bf46f07e1fb5249280447e5fe3100f3e82fc4b93ad1e13ffcfdec924b6ac0bb5"),
                    new Size(890, 17_708, 2_325, 5),
                    ROWS_SUM_TO_1,
                    new LeaveOut(LeaveOut.Which.FIRST, 2)),
            heterophilous(
                    "squirrel",
                    "Squirrel",
                    new Version(
                            "squirrel_filtered.npz",
                            208_215,
                            "f06370ffb3116c5de8b7a600005400b2293c025e0ce2f6916d8201a825505ac7"),
                    new Size(2_223, 93_996, 2_089, 5),
                    ROWS_SUM_TO_1,
                    new LeaveOut(LeaveOut.Which.FIRST, 2)),
            new DataSet(
                    "cora_ml",
                    "CoraML",
                    List.of(new Version(
                            "cora_ml.npz",
                            1_622_498,
                            "46b98cabc9c22c09de0d30140fbf68d004b21d2f05e234feb96ba6e84ec7c86a")),
                    URI.create("https://raw.githubusercontent.com/abojchevski/sparse_smoothing/"
                            + "9add756987972991b50b4f1d87a00cd4e5e2f621/data/cora_ml.npz"),
                    new Size(2_995, 16_316, 2_879, 7),
                    BAG_OF_WORDS,
                    false,
                    new LeaveOut(LeaveOut.Which.LAST, 3),
                    ""),
            new DataSet(
                    "pubmed",
                    "PubMed",
                    List.of(
                            new Version("pubmed.npz", -1, ""),
                            new Version(
                                    "pubmed_plain.npz",
                                    5_476_661,
                                    "da548615a22bcb1317a25e482e0343b61de9077a5412ad6f0a049be11fb646ac")),
                    URI.create("https://github.com/shchur/gnn-benchmark/raw/master/data/npz/pubmed.npz"),
                    new Size(19_717, 88_648, 500, 3, List.of(4_103, 7_739, 7_875)),
                    BAG_OF_WORDS,
                    false,
                    new LeaveOut(LeaveOut.Which.LARGEST, 1),
                    "nobody has published a checksum: verified by its counts"),
            heterophilous(
                    "questions",
                    "Questions",
                    new Version(
                            "questions.npz",
                            47_369_919,
                            "757ebd772bab1475c4dd951ca9e364400c6db161656cff9d21780ee874cf3074"),
                    new Size(48_921, 307_080, 301, 2),
                    null),
            heterophilous(
                    "tolokers",
                    "Tolokers",
                    new Version(
                            "tolokers.npz",
                            1_329_769,
                            "dacf3ac94cec53d03cd2adb5255c08b33dee1656c33ca8164a464bd9450a1667"),
                    new Size(11_758, 1_038_000, 10, 2),
                    null),
            heterophilous(
                    "minesweeper",
                    "Minesweeper",
                    new Version(
                            "minesweeper.npz",
                            135_045,
                            "e664c8dacf1e8ac466c2c09ed4b237bd2c5541f47a6eae9c6092cb87f16412b3"),
                    new Size(10_000, 78_804, 7, 2),
                    null),
            heterophilous(
                    "actor",
                    "Actor",
                    new Version(
                            "actor.npz", 252_956, "c350eef06b2c2a9bf8218be2b57cac6d4003d0922eb597a039e9123f75817816"),
                    new Size(7_600, 53_318, 932, 5),
                    new LeaveOut(LeaveOut.Which.LAST, 2)));

    private DataSets() {}

    private static DataSet heterophilous(
            String name, String title, Version file, Size size, @Nullable LeaveOut leaveOut) {
        return heterophilous(name, title, file, size, Preprocessing.NONE, leaveOut);
    }

    private static DataSet heterophilous(
            String name,
            String title,
            Version file,
            Size size,
            Preprocessing preprocessing,
            @Nullable LeaveOut leaveOut) {
        return new DataSet(
                name,
                title,
                List.of(file),
                URI.create(HETEROPHILOUS + file.file()),
                size,
                preprocessing,
                true,
                leaveOut,
                "");
    }

    /** All data sets that Nescio knows by name; unmodifiable. */
    public static List<DataSet> all() {
        return ALL;
    }

    /**
     * The data set of this name, such as {@code cora_ml}; refuses others, and says which ones there are.
     *
     * <pre>{@code
     * Graph graph = DataFolder.standard().read(DataSets.named("cora_ml"));
     * }</pre>
     */
    public static DataSet named(String name) {
        return ALL.stream()
                .filter(set -> set.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration("there is no data set '" + name + "'; there are "
                        + ALL.stream().map(DataSet::name).collect(Collectors.joining(", "))));
    }
}
