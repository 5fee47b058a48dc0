// A small force layout: nodes repel each other, edges pull, and every hop keeps its distance from the centre. No randomness, no motion:
// the positions are computed at once.

const RING = 110;

/**
 * @param nodes [{id, hop, x?, y?}]; those with a position start there
 * @param edges [[a, b]] by index
 */
export function layout(nodes, edges) {
  const n = nodes.length;
  const parent = new Map();
  for (const [a, b] of edges) {
    if (nodes[a].hop < nodes[b].hop && !parent.has(b)) parent.set(b, a);
    if (nodes[b].hop < nodes[a].hop && !parent.has(a)) parent.set(a, b);
  }
  const golden = Math.PI * (3 - Math.sqrt(5));
  nodes.forEach((node, i) => {
    if (node.x !== undefined) return;
    const from = node.hop > 1 ? nodes[parent.get(i)] : null;
    const angle = from ? Math.atan2(from.y, from.x) + 0.5 * Math.sin(i * 12.9898) : i * golden;
    node.x = node.hop * RING * Math.cos(angle);
    node.y = node.hop * RING * Math.sin(angle);
  });
  const rounds = n > 200 ? 120 : 260;
  const space = Math.min(70, 900 / Math.sqrt(n + 1));
  for (let round = 0; round < rounds; round++) {
    const heat = 12 * (1 - round / rounds) ** 1.5 + 0.2;
    const fx = new Float64Array(n);
    const fy = new Float64Array(n);
    repel(nodes, space, fx, fy);
    for (const [a, b] of edges) {
      const dx = nodes[b].x - nodes[a].x;
      const dy = nodes[b].y - nodes[a].y;
      const pull = 0.02;
      fx[a] += pull * dx;
      fy[a] += pull * dy;
      fx[b] -= pull * dx;
      fy[b] -= pull * dy;
    }
    for (let i = 0; i < n; i++) {
      const node = nodes[i];
      if (node.hop === 0) {
        node.x = 0;
        node.y = 0;
        continue;
      }
      const r = Math.hypot(node.x, node.y) || 1;
      const want = RING * node.hop * (1 + n / 400);
      fx[i] += (0.12 * (want - r) * node.x) / r;
      fy[i] += (0.12 * (want - r) * node.y) / r;
      const size = Math.hypot(fx[i], fy[i]) || 1;
      const step = Math.min(size, heat) / size;
      node.x += fx[i] * step;
      node.y += fy[i] * step;
    }
  }
  return nodes;
}

function repel(nodes, space, fx, fy) {
  for (let i = 0; i < nodes.length; i++) {
    for (let j = i + 1; j < nodes.length; j++) {
      let dx = nodes[i].x - nodes[j].x;
      let dy = nodes[i].y - nodes[j].y;
      if (dx === 0 && dy === 0) {
        dx = 0.1 * ((i % 7) - 3 || 1);
        dy = 0.1 * ((j % 5) - 2 || 1);
      }
      const square = dx * dx + dy * dy;
      const push = ((space * space) / square) * 0.25;
      const length = Math.sqrt(square);
      fx[i] += ((push * dx) / length) * 4;
      fy[i] += ((push * dy) / length) * 4;
      fx[j] -= ((push * dx) / length) * 4;
      fy[j] -= ((push * dy) / length) * 4;
    }
  }
}
