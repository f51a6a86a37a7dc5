// The state of the page: open nodes, the selected node, the pruning.
import { computed, signal } from "@preact/signals";
import { childrenOf, depth, report, nodes, parent, size, condition, prediction, title, loss } from "./values";
import { walk, type Row } from "./walk";

export const MAX_VISIBLE = 1500;

export const open = signal<ReadonlySet<number>>(new Set());
export const selected = signal(0);
export const step = signal(0); // index in the weakest-link sequence
export const found = signal<ReadonlySet<number>>(new Set());
export const notice = signal("");
export const row = signal<Row>(report.columns.map((column) => column.typical));
export const showsPath = signal(false);

export const alpha = computed(() => report.alphas.alphas[step.value] ?? 0);

// Nodes that are leaves now: leaves of the tree, and those that collapse at or below alpha.
export const isLeaf = computed(() => {
  const limit = step.value === 0 ? -1 : alpha.value;
  const slack = 1e-12 + 1e-9 * Math.abs(limit);
  return (node: number) =>
    nodes.first[node] < 0 || (limit >= 0 && nodes.collapse[node] !== null && nodes.collapse[node]! <= limit + slack);
});

// Nodes of the pruned tree, parents first.
export const kept = computed(() => {
  const leaf = isLeaf.value;
  const out = [0];
  for (let index = 0; index < out.length; index++) {
    if (!leaf(out[index])) {
      const first = nodes.first[out[index]];
      for (let b = 0; b < nodes.count[out[index]]; b++) out.push(first + b);
    }
  }
  return out;
});

export const leaves = computed(() => kept.value.filter((node) => isLeaf.value(node)));

export const losses = computed(() => {
  const test = nodes.test;
  let training = 0;
  let left = 0;
  for (const node of kept.value) {
    if (isLeaf.value(node)) {
      training += loss(node);
      if (test) left += test.loss[node];
    } else if (test) {
      left += test.ended[node];
    }
  }
  return { training, test: test ? left : null };
});

export const walked = computed(() => walk(row.value, isLeaf.value));
export const onPath = computed(() => (showsPath.value ? new Set(walked.value.path) : new Set<number>()));

// Use the values of an included row, and show its path.
export function follow(index: number): void {
  const { columns, values } = report.rows;
  const next: Row = report.columns.map(() => null);
  columns.forEach((column, i) => (next[column] = values[index][i]));
  row.value = next;
  showsPath.value = true;
  reveal(walked.value.path[walked.value.path.length - 1]);
}

export function openTo(level: number): void {
  const next = new Set<number>();
  let visible = 1;
  let lastWhole = level;
  for (const node of breadthFirst()) {
    if (depth[node] >= level || isLeaf.value(node)) continue;
    if (visible + nodes.count[node] > MAX_VISIBLE) {
      lastWhole = depth[node];
      break;
    }
    visible += nodes.count[node];
    next.add(node);
  }
  notice.value = lastWhole < level ? `Opened ${visible} nodes; open others individually.` : "";
  open.value = next;
}

function* breadthFirst(): Generator<number> {
  const queue = [0];
  for (let index = 0; index < queue.length; index++) {
    yield queue[index];
    if (nodes.first[queue[index]] >= 0) queue.push(...childrenOf(queue[index]));
  }
}

export function toggle(node: number): void {
  const next = new Set(open.value);
  if (!next.delete(node) && !isLeaf.value(node)) next.add(node);
  open.value = next;
}

// Open all nodes above a node, and select it.
export function reveal(node: number): void {
  const next = new Set(open.value);
  for (let above = parent[node]; above >= 0; above = parent[above]) next.add(above);
  open.value = next;
  selected.value = node;
}

export function search(text: string): void {
  const query = text.trim().toLowerCase();
  const hits = new Set<number>();
  if (query) {
    for (let node = 0; node < size && hits.size < 500; node++) {
      const label = nodes.first[node] >= 0 ? title(node) : prediction(node);
      const above = parent[node];
      const link = above >= 0 ? condition(nodes.question[above], node - nodes.first[above]) : "";
      if (label.toLowerCase().includes(query) || link.toLowerCase().includes(query) || `node ${node}` === query) hits.add(node);
    }
  }
  found.value = hits;
  notice.value = query ? (hits.size ? `${hits.size === 500 ? "500 or more" : hits.size} found` : "nothing found") : "";
  const first = hits.values().next();
  if (!first.done) reveal(first.value);
}

export function initialDepth(): number {
  const perLevel: number[] = [];
  depth.forEach((level) => (perLevel[level] = (perLevel[level] ?? 0) + 1));
  let total = 0;
  for (let level = 0; level < perLevel.length; level++) {
    total += perLevel[level];
    if (total > 40) return Math.max(level - 1, 1);
  }
  return perLevel.length - 1;
}
