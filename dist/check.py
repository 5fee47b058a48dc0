"""Tries nescio.py with objects like those of PyTorch Geometric and DGL, with arrays and, where it is there, with pandas."""

import os
import tempfile
import types

import nescio
import numpy as np

rng = np.random.default_rng(0)
n = 300
y = np.arange(n) % 3
x = rng.normal(size=(n, 8)).astype(np.float32)
x[:, 0] += y
edge_index = rng.integers(0, n, size=(2, 1200))
part = rng.permutation(n) % 5
masks = {"train_mask": part < 3, "val_mask": part == 3, "test_mask": part == 4}
pyg = types.SimpleNamespace(x=x, edge_index=edge_index, y=y, **masks)


class Dgl:
    ndata = {"feat": x, "label": y, **masks}

    def edges(self):
        return edge_index[0], edge_index[1]


def column(scores, name):
    return np.asarray(scores[name])


with tempfile.TemporaryDirectory() as folder:
    detector = os.path.join(folder, "d.nescio")
    trained = nescio.train(pyg, detector, epochs=60, hidden=16, learning_rate=0.01)
    assert trained["test"]["accuracy"] > 0.4, trained
    scores = nescio.score(detector, pyg, alpha=0.1, probabilities=True)
    assert len(column(scores, "node")) == n and "probability-2" in scores
    again = nescio.score(detector, Dgl(), alpha=0.1)
    third = nescio.score(detector, {"x": x, "edge_index": edge_index, "y": y, **masks})
    assert np.array_equal(column(scores, "epistemic"), column(again, "epistemic"))
    assert np.array_equal(column(scores, "epistemic"), column(third, "epistemic"))
    assert nescio.explain(detector, pyg, node=4)["node"] == "4"
    states = [x, x[:, :3] @ rng.normal(size=(3, 4))]
    fitted = os.path.join(folder, "f.nescio")
    nescio.fit(states, masks["train_mask"], fitted, held_out=masks["val_mask"])
    outside = nescio.score(fitted, states=states)
    assert np.isfinite(column(outside, "epistemic").astype(float)).all()
    assert nescio.explain(fitted, states=states, node=4)["layers"]
    far = dict(x=x + 30 * (part == 4)[:, None], edge_index=edge_index)
    with open(os.path.join(folder, "test.txt"), "w") as file:
        file.write("\n".join(str(v) for v in np.flatnonzero(part == 4)))
    assert nescio.watch(detector, far, nodes=os.path.join(folder, "test.txt"))["drift"]
    try:
        nescio.score(detector, {"x": x[:, :3], "edge_index": edge_index})
        raise AssertionError("a graph with other features was scored")
    except nescio.NescioError as problem:
        assert "3 features" in str(problem), problem
    try:
        import pandas
    except ImportError:
        print("pandas is not here: tables were not tried")
    else:
        nodes = pandas.DataFrame({"konto": ["K'%d" % i for i in range(n)], "wert": x[:, 0], "art": y})
        edges = pandas.DataFrame({"von": ["K'%d" % i for i in edge_index[0]], "nach": ["K'%d" % i for i in edge_index[1]]})
        nescio.train((nodes, edges), detector, label="art", epochs=20, hidden=8)
        assert list(nescio.score(detector, (nodes, edges))["node"][:2]) == ["K'0", "K'1"]
print("nescio.py works")
