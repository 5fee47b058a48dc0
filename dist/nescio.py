# SPDX-License-Identifier: Apache-2.0
"""Nescio from Python: one file, no dependency but numpy.

    import nescio
    detector = nescio.train(data, "detector.nescio", model="res-gcn")   # data of PyTorch Geometric, DGL, numpy or pandas
    scores = nescio.score("detector.nescio", data, alpha=0.05)          # a pandas.DataFrame where pandas is there
    why = nescio.explain("detector.nescio", data, node=17)

The work is done by the launcher of Nescio, a program for the Java virtual machine: the one that NESCIO names, the one beside
this file, or the one on the path. Options of its command line are keyword arguments: ``label_sets=0.1`` is ``--label-sets 0.1``,
``directed=True`` is ``--directed``, a list is joined by commas.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

__all__ = ["NescioError", "explain", "fit", "run", "score", "train", "watch"]

_MASKS = ("train_mask", "val_mask", "test_mask")


class NescioError(Exception):
    """What Nescio says on stderr when it cannot do what was asked for."""


def train(graph, out, **options):
    """Train a detector on a labelled graph and save it; returns what came of it, by name."""
    with _arguments(graph) as arguments:
        return json.loads(run("train", *arguments, "--out", str(out), "--json", **options))


def score(detector, graph=None, states=None, **options):
    """Score every node: a pandas.DataFrame, or a dict of arrays where there is no pandas.

    ``states`` are hidden states of a model that was trained elsewhere, one array of shape [nodes, width] per layer, for a detector
    that was made by ``fit``.
    """
    with _arguments(graph, states, options) as arguments, tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "scores.json")
        run("score", str(detector), *arguments, "--out", out, "--quiet", **options)
        with open(out, encoding="utf-8") as file:
            return _table(json.load(file))


def fit(states, train, out, labels=None, held_out=None, logits=None, **options):
    """Fit estimators to hidden states of a model that was trained elsewhere.

    ``train`` and ``held_out`` are masks or numbers of the nodes that the model has learned from, and of ordinary ones that it has not.
    """
    with tempfile.TemporaryDirectory() as folder:
        named = {"train": train, "held_out": held_out, "labels": labels, "logits": logits}
        options = {**options, **{name: _array(folder, name, value) for name, value in named.items() if value is not None}}
        files = ",".join(_array(folder, "state%d" % i, state) for i, state in enumerate(states))
        return json.loads(run("fit", "--states", files, "--out", str(out), "--json", **options))


def explain(detector, graph=None, node=None, states=None, **options):
    """Why a node has its score, as nested dicts and lists."""
    with _arguments(graph, states, options) as arguments:
        return json.loads(run("explain", str(detector), *arguments, "--node", str(node), "--json", **options))


def watch(detector, graph, **options):
    """Whether new nodes still look like those that the detector was made from; ``["drift"]`` is None where there are too few to tell."""
    with _arguments(graph) as arguments:
        return json.loads(run("watch", str(detector), *arguments, "--json", accepted=(0, 3), **options))


def run(*arguments, accepted=(0,), **options):
    """Run a command of Nescio and return what it prints."""
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            arguments += (flag,)
        elif isinstance(value, (list, tuple)):
            arguments += (flag, ",".join(str(part) for part in value))
        elif value is not None and value is not False:
            arguments += (flag, str(value))
    done = subprocess.run([_launcher(), *arguments], capture_output=True, encoding="utf-8")
    if done.returncode not in accepted:
        raise NescioError(done.stderr.strip() or "nescio ended with code %d" % done.returncode)
    return done.stdout


def _launcher():
    beside = pathlib.Path(__file__).resolve().parent.parent / "bin" / "nescio"
    found = os.environ.get("NESCIO") or (str(beside) if beside.exists() else shutil.which("nescio"))
    if not found:
        raise NescioError("nescio was not found: name its launcher in the environment variable NESCIO")
    return found


@contextlib.contextmanager
def _arguments(graph, states=None, options=None):
    """A graph or states as arguments of a command, with files that are there as long as they are needed."""
    with tempfile.TemporaryDirectory() as folder:
        if states is not None:
            for name in ("logits", "links"):
                if options and options.get(name) is not None:
                    options[name] = _array(folder, name, options[name])
            yield ["--states", ",".join(_array(folder, "state%d" % i, state) for i, state in enumerate(states))]
        elif isinstance(graph, (str, os.PathLike)):
            yield [str(graph)]
        elif isinstance(graph, (tuple, list)) and hasattr(graph[0], "to_csv"):
            nodes, edges = (os.path.join(folder, name) for name in ("nodes.csv", "edges.csv"))
            graph[0].to_csv(nodes, index=False)
            graph[1].to_csv(edges, index=False)
            yield [nodes, "--edges", edges]
        else:
            file = os.path.join(folder, "graph.npz")
            np.savez(file, **_arrays(graph))
            yield [file]


def _arrays(graph):
    """The arrays of a graph file from whatever holds a graph: PyTorch Geometric, DGL, or a dict of arrays."""
    if hasattr(graph, "ndata"):
        source, target = graph.edges()
        held = {("x" if name in ("feat", "x") else "y" if name in ("label", "y") else name): graph.ndata[name] for name in graph.ndata}
        held["edge_index"] = np.stack([_numpy(source), _numpy(target)])
    elif isinstance(graph, dict):
        held = graph
    else:
        held = {name: getattr(graph, name, None) for name in ("x", "edge_index", "y", *_MASKS)}
    missing = [name for name in ("x", "edge_index") if held.get(name) is None]
    if missing:
        raise NescioError("a graph needs x, [nodes, features], and edge_index, [2, edges]; there is no " + " and no ".join(missing))
    arrays = {
        "node_features": _numpy(held["x"]).astype(np.float32),
        "edges": _numpy(held["edge_index"]).reshape(2, -1).T.astype(np.int64),
    }
    if held.get("y") is not None:
        arrays["node_labels"] = _numpy(held["y"]).reshape(-1).astype(np.int64)
    if all(held.get(name) is not None for name in _MASKS):
        for name in _MASKS:
            mask = _numpy(held[name]).astype(bool)
            # PyTorch Geometric keeps several splits as columns.
            arrays[name + "s"] = mask[None] if mask.ndim == 1 else mask.T
    return arrays


def _numpy(values):
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    return np.asarray(values.numpy() if hasattr(values, "numpy") and not isinstance(values, np.ndarray) else values)


def _array(folder, name, values):
    """Saves an array and returns the name of its file; the name of a file stays as it is."""
    if isinstance(values, (str, os.PathLike)):
        return str(values)
    file = os.path.join(folder, name + ".npy")
    array = _numpy(values)
    np.save(file, array.astype(np.float32) if array.dtype.kind == "f" else array)
    return file


def _table(rows):
    try:
        import pandas
    except ImportError:
        return {name: np.array([row[name] for row in rows]) for name in (rows[0] if rows else ())}
    return pandas.DataFrame(rows)
