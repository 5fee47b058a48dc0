// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Graph;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.option.Nearest;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The folder convention of DGL's CSVDataset: {@code meta.yaml} names one table of nodes and one of edges. */
public final class DglFolder implements GraphLocation {

    private static final int LONGEST_META = 1 << 20;
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    @Override
    public String form() {
        return "FOLDER with meta.yaml";
    }

    @Override
    public String summary() {
        return "a folder of DGL's CSVDataset with one type of nodes and one type of edges";
    }

    @Override
    public boolean matches(Request request) {
        return Files.exists(request.path().resolve("meta.yaml"));
    }

    @Override
    public boolean hasColumns() {
        return true;
    }

    @Override
    public Graph read(Request request) {
        Path folder = request.path();
        TableGraph tables = request.tables();
        Path meta = folder.resolve("meta.yaml");
        JsonNode root = parse(meta);
        Path nodes = table(root, "node_data", folder, meta);
        Path edges = table(root, "edge_data", folder, meta);
        String name = root.path("dataset_name").asString(TableGraph.name(folder.toAbsolutePath()));
        return tables.build(name, () -> tables.open(nodes), () -> tables.open(edges));
    }

    private static JsonNode parse(Path meta) {
        try (InputStream in = Files.newInputStream(meta)) {
            return YAML.readTree(in.readNBytes(LONGEST_META));
        } catch (IOException e) {
            throw new BadInput(meta + " cannot be read: " + AtomicFile.reason(e), e);
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? -1 : e.getLocation().getLineNr();
            String reason = Nearest.shortened(String.valueOf(e.getOriginalMessage()));
            throw new BadInput(meta + (line < 1 ? "" : ", line " + line) + " is not YAML: " + reason, e);
        }
    }

    private static Path resolved(Path folder, String name, Path meta) {
        try {
            return folder.resolve(name).normalize();
        } catch (InvalidPathException e) {
            throw new BadInput(meta + ": '" + name + "' cannot be the name of a file here", e);
        }
    }

    private static Path table(JsonNode root, String key, Path folder, Path meta) {
        JsonNode list = root.path(key);
        if (list.size() != 1 || !list.path(0).path("file_name").isString()) {
            throw new BadInput(meta + ": '" + key + "' must name one file, got " + list.size()
                    + "; graphs with several types of nodes or edges are not supported");
        }
        String name = list.path(0).path("file_name").asString();
        Path whole = folder.toAbsolutePath().normalize();
        Path file = resolved(whole, name, meta);
        if (!file.startsWith(whole)) {
            throw new BadInput(meta + ": '" + name + "' lies outside of " + folder);
        }
        return file;
    }
}
