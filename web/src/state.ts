// What the reader has chosen: which nodes are open, which one is looked at, how far the tree is pruned.
import { computed, signal } from "@preact/signals";
import { childrenOf, depth, facts, nodes, parent, size, condition, answer, title, loss } from "./facts";
import { walked, type Row } from "./walk";

export const MOST_VISIBLE = 1500;

export const open = signal<ReadonlySet<number>>(new Set());
export const selected = signal(0);
export const step = signal(0); // place in the weakest-link sequence
export const found = signal<ReadonlySet<number>>(new Set());
export const notice = signal("");
export const row = signal<Row>(facts.columns.map((column) => column.typical));
export const showsPath = signal(false);

export const alpha = computed(() => facts.alphas.alphas[step.value] ?? 0);

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
  for (let place = 0; place < out.length; place++) {
    if (!leaf(out[place])) {
      const first = nodes.first[out[place]];
      for (let b = 0; b < nodes.count[out[place]]; b++) out.push(first + b);
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

export const journey = computed(() => walked(row.value, isLeaf.value));
export const onPath = computed(() => (showsPath.value ? new Set(journey.value.path) : new Set<number>()));

// Take the values of a row that travels with the page, and show its way.
export function follow(place: number): void {
  const { columns, values } = facts.rows;
  const next: Row = facts.columns.map(() => null);
  columns.forEach((column, i) => (next[column] = values[place][i]));
  row.value = next;
  showsPath.value = true;
  reveal(journey.value.path[journey.value.path.length - 1]);
}

export function openTo(level: number): void {
  const next = new Set<number>();
  let visible = 1;
  let lastWhole = level;
  for (const node of breadthFirst()) {
    if (depth[node] >= level || isLeaf.value(node)) continue;
    if (visible + nodes.count[node] > MOST_VISIBLE) {
      lastWhole = depth[node];
      break;
    }
    visible += nodes.count[node];
    next.add(node);
  }
  notice.value = lastWhole < level ? `Opened ${visible} nodes; open further ones where you need them.` : "";
  open.value = next;
}

function* breadthFirst(): Generator<number> {
  const queue = [0];
  for (let place = 0; place < queue.length; place++) {
    yield queue[place];
    if (nodes.first[queue[place]] >= 0) queue.push(...childrenOf(queue[place]));
  }
}

export function toggle(node: number): void {
  const next = new Set(open.value);
  if (!next.delete(node) && !isLeaf.value(node)) next.add(node);
  open.value = next;
}

// Open everything above a node, so that it can be seen, and look at it.
export function reveal(node: number): void {
  const next = new Set(open.value);
  for (let above = parent[node]; above >= 0; above = parent[above]) next.add(above);
  open.value = next;
  selected.value = node;
}

export function search(text: string): void {
  const wanted = text.trim().toLowerCase();
  const hits = new Set<number>();
  if (wanted) {
    for (let node = 0; node < size && hits.size < 500; node++) {
      const told = nodes.first[node] >= 0 ? title(node) : answer(node);
      const above = parent[node];
      const link = above >= 0 ? condition(nodes.question[above], node - nodes.first[above]) : "";
      if (told.toLowerCase().includes(wanted) || link.toLowerCase().includes(wanted) || `node ${node}` === wanted) hits.add(node);
    }
  }
  found.value = hits;
  notice.value = wanted ? (hits.size ? `${hits.size === 500 ? "500 or more" : hits.size} found` : "nothing found") : "";
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
