// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.io.data.DataFolder;
import dev.nescio.io.data.DataSet;
import dev.nescio.io.data.DataSets;
import dev.nescio.io.data.Download;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.NescioException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio data}. */
@Command(
        name = "data",
        mixinStandardHelpOptions = true,
        description = "List, download, verify and locate published graphs.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Graphs are stored in the folder given by --data or NESCIO_DATA, otherwise in a cache in your home directory.",
            "The folder may already contain the files. Wherever a command takes a GRAPH, data:NAME stands for one.",
            "",
            "Examples:",
            "  nescio data list",
            "  nescio data pull cora_ml chameleon",
            "  nescio data verify --data my/folder",
            "  nescio data verify downloads/roman_empire.npz",
            "  nescio train data:cora_ml --binary --normalise l1 --split stratified:0 --out model"
        })
public final class DataCommand extends CommandGroup {

    /** Where data sets are. */
    static final class FolderOption {

        @Option(
                names = "--data",
                paramLabel = "DIR",
                description = "Folder of the data sets (default: NESCIO_DATA, otherwise a cache in your home).")
        @Nullable
        Path folder;

        DataFolder folder() {
            return folder == null ? DataFolder.standard() : new DataFolder(folder);
        }
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "List the data sets and their status.")
    int list(@Mixin FolderOption where, @Mixin CommonFlags common) {
        DataFolder folder = where.folder();
        List<Map<String, Object>> rows = new ArrayList<>();
        StringBuilder text = new StringBuilder(folder.path().toString());
        for (DataSet set : DataSets.all()) {
            String path = folder.find(set).map(found -> found.path().toString()).orElse("");
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", set.name());
            row.put("title", set.title());
            row.put("size", set.size());
            row.put("source", set.source() == null ? null : set.source().toString());
            row.put("sha256", set.official().sha256());
            row.put("path", path.isEmpty() ? null : path);
            row.put("remark", set.remark());
            rows.add(row);
            text.append(String.format(
                    Locale.ROOT,
                    "%n%-20s%-9s%,8d nodes %,11d directed edges %,7d features %3d classes%s",
                    set.name(),
                    path.isEmpty() ? "missing" : "there",
                    set.size().nodes(),
                    set.size().directedEdges(),
                    set.size().features(),
                    set.size().classes(),
                    set.remark().isEmpty() ? "" : "  (" + set.remark() + ")"));
        }
        common.print(rows, text.toString());
        return ExitCode.OK;
    }

    @Command(
            name = "pull",
            mixinStandardHelpOptions = true,
            description =
                    "Download data sets from their official addresses and verify them; an interrupted run resumes.")
    int pull(
            @Parameters(paramLabel = "NAME", arity = "1..*", description = "Data sets, see 'nescio data list'.")
                    List<String> names,
            @Mixin FolderOption where,
            @Mixin CommonFlags common) {
        List<DataSet> sets = names.stream().map(DataSets::named).toList();
        DataFolder folder = where.folder();
        Map<String, String> paths = new LinkedHashMap<>();
        for (DataSet set : sets) {
            Path path = folder.find(set).map(DataFolder.Found::path).orElseGet(() -> {
                try (ProgressBar bar = common.progress(set.name())) {
                    return new Download((done, total) -> bar.at(done, Math.max(done, total), mebibytes(done, total)))
                            .pull(set, folder);
                }
            });
            folder.read(set);
            paths.put(set.name(), path.toString());
        }
        common.print(paths, lines(paths));
        return ExitCode.OK;
    }

    private static String mebibytes(long done, long total) {
        return String.format(Locale.ROOT, "%.1f", done / 1048576.0)
                + (total < 0 ? " MiB" : String.format(Locale.ROOT, " of %.1f MiB", total / 1048576.0));
    }

    @Command(
            name = "verify",
            mixinStandardHelpOptions = true,
            description = "Check data sets, or any npz file, against what is published.")
    int verify(
            @Parameters(
                            paramLabel = "NAME|FILE",
                            arity = "0..*",
                            description = "Data sets, or files (default: all data sets that are downloaded).")
                    @Nullable
                    List<String> names,
            @Mixin FolderOption where,
            @Mixin CommonFlags common) {
        DataFolder folder = where.folder();
        Map<String, DataFolder.Identity> states = new LinkedHashMap<>();
        List<String> sets = new ArrayList<>(names == null ? List.of() : names);
        for (String file : names == null ? List.<String>of() : names) {
            if (file.endsWith(".npz") || Files.isRegularFile(Path.of(file))) {
                states.put(file, DataFolder.identify(Path.of(file)));
                sets.remove(file);
            }
        }
        if (states.isEmpty() || !sets.isEmpty()) {
            chosen(folder, sets).forEach(set -> states.put(set.name(), verify(folder, set)));
        }
        Map<String, String> words = new LinkedHashMap<>();
        states.forEach((name, state) -> words.put(name, state.words()));
        common.print(words, lines(words));
        return states.values().stream().allMatch(DataFolder.Identity::isPublished) ? ExitCode.OK : ExitCode.WRONG;
    }

    private static DataFolder.Identity verify(DataFolder folder, DataSet set) {
        try {
            folder.read(set);
            return new DataFolder.Identity(true, "as published");
        } catch (NescioException e) {
            return new DataFolder.Identity(false, e.getMessage());
        }
    }

    @Command(name = "path", mixinStandardHelpOptions = true, description = "Print the path of a data set's file.")
    int path(
            @Parameters(paramLabel = "NAME", description = "Data set, see 'nescio data list'.") String name,
            @Mixin FolderOption where,
            @Mixin CommonFlags common) {
        DataSet set = DataSets.named(name);
        DataFolder folder = where.folder();
        String path = folder.find(set)
                .map(found -> found.path().toString())
                .orElseThrow(() -> new BadConfiguration(set.title() + " is not in " + folder.path()));
        common.print(path, path);
        return ExitCode.OK;
    }

    private static List<DataSet> chosen(DataFolder folder, List<String> names) {
        List<DataSet> sets = names.isEmpty()
                ? DataSets.all().stream()
                        .filter(set -> folder.find(set).isPresent())
                        .toList()
                : names.stream().map(DataSets::named).toList();
        if (sets.isEmpty()) {
            throw new BadConfiguration("there are no data sets in " + folder.path());
        }
        return sets;
    }

    private static String lines(Map<String, String> byName) {
        return byName.entrySet().stream()
                .map(e -> String.format("%-19s %s", e.getKey(), e.getValue()))
                .collect(Collectors.joining("\n"));
    }
}
