"""Training steps of Res-GCN on sampled neighbourhoods in plain PyTorch: every node draws its neighbours once, without replacement."""
import argparse
import json
import statistics
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

# Columns of a row need not ascend for a product, and neither sorting nor checking them is part of the work.
UNCHECKED = getattr(torch, "_sparse_csr_tensor_unsafe", torch.sparse_csr_tensor)


class ResGcn(nn.Module):
    def __init__(self, features, hidden, classes, layers, p):
        super().__init__()
        self.p, self.first = p, nn.Linear(features, hidden)
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(layers))
        self.inner = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(layers))
        self.outer = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(layers))
        self.last_norm, self.last = nn.LayerNorm(hidden), nn.Linear(hidden, classes)

    def forward(self, x, blocks):
        drop = lambda t: F.dropout(t, self.p, self.training)
        h = F.gelu(drop(self.first(x)))
        for block, norm, a, b in zip(blocks, self.norms, self.inner, self.outer):
            h = h[: block.shape[0]] + drop(b(F.gelu(drop(a(torch.sparse.mm(block, norm(h)))))))
        return self.last(self.last_norm(h))


def graph(nodes, edges, rng):
    """Undirected edges between nodes anywhere, as pointers and neighbours."""
    e = rng.integers(0, nodes, (edges, 2))
    e = e[e[:, 0] != e[:, 1]]
    keys = np.unique(np.concatenate([e[:, 0] * nodes + e[:, 1], e[:, 1] * nodes + e[:, 0]]))
    pointers = np.searchsorted(keys, np.arange(nodes + 1) * nodes)
    return pointers, keys % nodes


class Sampler:
    def __init__(self, pointers, neighbours, most, rng):
        self.pointers, self.neighbours, self.most, self.rng = pointers, neighbours, most, rng
        self.degrees = np.diff(pointers)
        self.weights = (1 / np.sqrt(self.degrees + 1)).astype(np.float32)
        self.place = np.full(len(self.degrees), -1)

    def some(self, nodes, most):
        """Neighbours of each node, at most so many, and how many. Floyd's way to draw without replacement, for all nodes at once."""
        degrees = self.degrees[nodes]
        drawn = np.tile(np.arange(most), (len(nodes), 1))
        many = np.flatnonzero(degrees > most)
        picks = np.empty((len(many), most), dtype=np.int64)
        for i in range(most):
            last = degrees[many] - most + i
            pick = self.rng.integers(0, last + 1)
            is_taken = (picks[:, :i] == pick[:, None]).any(1)
            picks[:, i] = np.where(is_taken, last, pick)
        drawn[many] = picks
        is_there = np.arange(most) < degrees[:, None]
        counts = np.minimum(degrees, most)
        return self.neighbours[(self.pointers[nodes][:, None] + drawn)[is_there]], counts

    def draw(self, targets):
        order, hops, begin = targets, [], 0
        sizes = [len(targets)]
        self.place[targets] = np.arange(len(targets))
        for most in self.most:
            found, counts = self.some(order[begin:], most)
            hops.append((found, counts))
            new = np.unique(found[self.place[found] < 0])
            begin = len(order)
            self.place[new] = begin + np.arange(len(new))
            order = np.concatenate([order, new])
            sizes.append(len(order))
        found = [f for f, _ in hops]
        counts = [c for _, c in hops]
        blocks = [self.block(order, np.concatenate(found[:n]), np.concatenate(counts[:n]), sizes[n])
                  for n in range(len(hops), 0, -1)]
        self.place[order] = -1
        return order, blocks

    def block(self, order, found, counts, sources):
        """Normalised messages to the first nodes of the order, each of which also hears itself."""
        targets = len(counts)
        pointers = np.concatenate([[0], np.cumsum(counts + 1)])
        columns = np.empty(pointers[-1], dtype=np.int64)
        is_own = np.zeros(len(columns), dtype=bool)
        is_own[pointers[:-1]] = True
        columns[is_own] = np.arange(targets)
        columns[~is_own] = self.place[found]
        values = np.repeat(self.weights[order[:targets]], counts + 1) * self.weights[order[columns]]
        return UNCHECKED(torch.from_numpy(pointers), torch.from_numpy(columns), torch.from_numpy(values), (targets, sources))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--nodes", type=int, default=1_000_000)
    p.add_argument("--edges", type=int, default=10_000_000)
    p.add_argument("--features", type=int, default=64)
    p.add_argument("--classes", type=int, default=10)
    p.add_argument("--hidden", type=int, default=64)
    p.add_argument("--batch", type=int, default=1024)
    p.add_argument("--neighbours", default="10,10")
    p.add_argument("--steps", type=int, default=20)
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    x = torch.from_numpy(rng.standard_normal((a.nodes, a.features), dtype=np.float32))
    y = torch.from_numpy(rng.integers(0, a.classes, a.nodes))
    most = [int(n) for n in a.neighbours.split(",")]
    sampler = Sampler(*graph(a.nodes, a.edges, rng), most, rng)
    model = ResGcn(a.features, a.hidden, a.classes, len(most), 0.2)
    optimiser = torch.optim.Adam(model.parameters(), 1e-3)
    train = rng.permutation(a.nodes)[: a.batch * a.steps]
    times, sampled = [], 0
    for _ in range(a.epochs):
        begin = time.perf_counter()
        sampled = 0
        for batch in np.split(rng.permutation(train), a.steps):
            targets = np.sort(batch)
            order, blocks = sampler.draw(targets)
            sampled += len(order)
            optimiser.zero_grad()
            F.cross_entropy(model(x[torch.from_numpy(order)], blocks), y[torch.from_numpy(targets)]).backward()
            optimiser.step()
        times.append(time.perf_counter() - begin)
    seconds = statistics.median(times[1:])
    print(json.dumps({"nodes": a.nodes, "batch": a.batch, "sampled": sampled // a.steps, "step_ms": round(1e3 * seconds / a.steps, 2),
                      "sampled_per_s": round(sampled / seconds)}))


main()
