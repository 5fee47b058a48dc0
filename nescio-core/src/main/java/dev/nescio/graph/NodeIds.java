// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.problem.BadInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The names that nodes have outside: they go through to every output. */
public sealed interface NodeIds {

    /** The number of nodes. */
    int size();

    /** The name of a node, by its number from 0 to {@code size() - 1}. */
    String name(int node);

    /** The number of the node with this name; empty where there is none. */
    OptionalInt find(String name);

    /** Nodes that are called by their numbers 0, 1, 2, ... */
    static NodeIds numbered(int size) {
        return new Numbered(size);
    }

    /** Nodes with these names, in this order; refuses a name that is used twice. The list is copied. */
    static NodeIds named(List<String> names) {
        return new Named(names);
    }

    /** These nodes and more behind them. */
    default NodeIds followedBy(List<String> more) {
        for (String name : more) {
            find(name).ifPresent(node -> {
                throw new BadInput("node id '" + name + "' already exists");
            });
        }
        if (this instanceof Followed grown) {
            // Flat, however often a graph grows.
            List<String> all = new ArrayList<>(((Named) grown.rest).names);
            all.addAll(more);
            return new Followed(grown.first, new Named(all));
        }
        return new Followed(this, new Named(more));
    }

    /**
     * Some nodes and others behind them, as {@link #followedBy} makes them.
     *
     * @param first the nodes with the lower numbers
     * @param rest the nodes behind them
     */
    record Followed(NodeIds first, NodeIds rest) implements NodeIds {
        @Override
        public int size() {
            return first.size() + rest.size();
        }

        @Override
        public String name(int node) {
            return node < first.size() ? first.name(node) : rest.name(node - first.size());
        }

        @Override
        public OptionalInt find(String name) {
            OptionalInt node = first.find(name);
            if (node.isPresent()) {
                return node;
            }
            OptionalInt behind = rest.find(name);
            return behind.isPresent() ? OptionalInt.of(first.size() + behind.getAsInt()) : behind;
        }
    }

    /**
     * Nodes that are called by their numbers: the same name need not mean the same node in another graph.
     *
     * @param size how many nodes there are
     */
    record Numbered(int size) implements NodeIds {
        @Override
        public String name(int node) {
            return Integer.toString(node);
        }

        @Override
        public OptionalInt find(String name) {
            try {
                int node = Integer.parseInt(name);
                boolean isItsName = node >= 0 && node < size && name(node).equals(name);
                return isItsName ? OptionalInt.of(node) : OptionalInt.empty();
            } catch (NumberFormatException e) {
                return OptionalInt.empty();
            }
        }
    }

    /** Nodes with names of their own, each used once, as {@link #named} makes them. */
    final class Named implements NodeIds {

        private final List<String> names;
        private final Map<String, Integer> index;

        private Named(List<String> names) {
            this.names = List.copyOf(names);
            this.index = new HashMap<>(names.size() * 2);
            for (int i = 0; i < names.size(); i++) {
                Integer earlier = index.putIfAbsent(names.get(i), i);
                if (earlier != null) {
                    throw new BadInput(
                            "node id '" + names.get(i) + "' is used twice, by node " + earlier + " and node " + i);
                }
            }
        }

        @Override
        public int size() {
            return names.size();
        }

        @Override
        public String name(int node) {
            return names.get(node);
        }

        @Override
        public OptionalInt find(String name) {
            Integer node = index.get(name);
            return node == null ? OptionalInt.empty() : OptionalInt.of(node);
        }
    }
}
