// Leaves and losses of every tree of the weakest-link sequence: nodes collapse one after the other, and each collapse
// changes the sums of the nodes above it.
import { loss, nodes, parent, report, size, weight } from "./values";

export interface CurvePoint {
  leaves: number;
  training: number; // fraction of misclassified weight, or mean squared error
  test: number | null;
}

export function curveOf(): CurvePoint[] {
  const test = nodes.test;
  const leaves = new Float64Array(size).fill(1);
  const training = Float64Array.from({ length: size }, (_, node) => loss(node));
  const held = test ? Float64Array.from(test.loss) : null;
  for (let node = size - 1; node >= 0; node--) {
    if (nodes.first[node] < 0) continue;
    leaves[node] = training[node] = 0;
    if (held) held[node] = test!.ended[node];
    for (let b = 0; b < nodes.count[node]; b++) {
      const child = nodes.first[node] + b;
      leaves[node] += leaves[child];
      training[node] += training[child];
      if (held) held[node] += held[child];
    }
  }
  const order = Array.from({ length: size }, (_, node) => node).filter((node) => nodes.first[node] >= 0 && nodes.collapse[node] !== null);
  order.sort((a, b) => nodes.collapse[a]! - nodes.collapse[b]! || a - b);
  const [allTraining, allTest] = [weight(0) || 1, (test && test.rows[0]) || 1];
  const isGone = new Uint8Array(size);
  let next = 0;
  return report.alphas.alphas.map((alpha, index) => {
    const limit = alpha + 1e-12 + 1e-9 * Math.abs(alpha);
    for (; index > 0 && next < order.length && nodes.collapse[order[next]]! <= limit; next++) collapse(order[next]);
    return { leaves: leaves[0], training: training[0] / allTraining, test: held ? held[0] / allTest : null };
  });

  function collapse(node: number) {
    for (let at = node; at >= 0; at = parent[at]) if (isGone[at]) return;
    isGone[node] = 1;
    const change = [1 - leaves[node], loss(node) - training[node], held ? test!.loss[node] - held[node] : 0];
    for (let at = node; at >= 0; at = parent[at]) {
      leaves[at] += change[0];
      training[at] += change[1];
      if (held) held[at] += change[2];
    }
  }
}
