// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.detector;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Manifests before columns could have long tails, and before the states that a detector was fitted on were remembered. */
final class FormatThree {

    private FormatThree() {}

    /** Changes a manifest of format 2 or 3 into one of format 4. */
    static void upgrade(ObjectNode manifest) {
        manifest.put("format", 4);
        if (manifest.path("kind").asString("").equals(EmbeddingDetectorFile.KIND)) {
            manifest.putIfAbsent("fingerprint", manifest.stringNode(""));
        }
        for (JsonNode column : manifest.path("schema").path("columns")) {
            for (JsonNode scale : column.path("numbers")) {
                if (scale instanceof ObjectNode object) {
                    object.putIfAbsent("longTail", object.booleanNode(false));
                }
            }
        }
    }
}
