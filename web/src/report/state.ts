// The state of the page: open nodes, the selected node, the pruning, the row of what-if.
import { computed, effect, signal } from "@preact/signals";
import type { Direction, Fold } from "../shared/layout";
import { groupId, layOut, openTo } from "../shared/layout";
import { count } from "../shared/text";
import { depth, linkCondition, nodes, parent, prediction, report, title } from "./values";
import { sourceOf } from "./source";
import { walk, type Row } from "./walk";

export const fold = signal<Fold>({ open: new Set(), ungrouped: new Set() });
export const selected = signal(0);
export const direction = signal<Direction>("down");
export const turned = signal<Direction | null>(null); // chosen by the reader
export const level = signal(0);
export const fitKey = signal(0);
export const step = signal(0); // index in the weakest-link sequence
export const found = signal<ReadonlySet<number>>(new Set());
export const notice = signal("");
export const row = signal<Row>(report.columns.map((column) => column.typical));
export const showsPath = signal(false);
export const theme = signal<"light" | "dark">(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export const alpha = computed(() => report.pruning.alphas[step.value] ?? 0);

// Nodes that are leaves now: leaves of the tree, and those that collapse at or below alpha.
export const isLeaf = computed(() => {
  const limit = step.value === 0 ? -1 : alpha.value;
  const slack = 1e-12 + 1e-9 * Math.abs(limit);
  return (node: number) => nodes.first[node] < 0 || (limit >= 0 && nodes.collapse[node] !== null && nodes.collapse[node]! <= limit + slack);
});

export const source = computed(() => sourceOf(isLeaf.value));

// The leaves of the pruned tree.
export const leaves = computed(() => {
  const out = [0];
  const ends: number[] = [];
  for (let index = 0; index < out.length; index++) {
    const node = out[index];
    if (isLeaf.value(node)) ends.push(node);
    else for (let b = 0; b < nodes.count[node]; b++) out.push(nodes.first[node] + b);
  }
  return ends;
});

export const deepest = computed(() => leaves.value.reduce((most, node) => Math.max(most, depth[node]), 0));

// The leaves once the pruning has rested: lists below the tree follow the slider with a delay.
export const settled = signal<{ leaves: number[]; isLeaf: (node: number) => boolean }>({ leaves: leaves.peek(), isLeaf: isLeaf.peek() });
let waiting = 0;
effect(() => {
  const next = { leaves: leaves.value, isLeaf: isLeaf.value };
  clearTimeout(waiting);
  if (next.leaves !== settled.peek().leaves) waiting = setTimeout(() => (settled.value = next), 120) as unknown as number;
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

export function showLevels(levels: number): void {
  level.value = levels;
  const { open, isWhole } = openTo(source.value, levels);
  notice.value = isWhole ? "" : `The first ${count(open.size)} questions are open; open others individually.`;
  const next = { open, ungrouped: fold.value.ungrouped };
  direction.value = turned.value ?? layOut(source.value, next, null).direction;
  fold.value = next;
  fitKey.value++;
}

export function turn(): void {
  direction.value = turned.value = direction.value === "down" ? "right" : "down";
  fitKey.value++;
}

// Open or close a node; show the branches of a group.
export function toggle(id: number): void {
  const { open, ungrouped } = fold.value;
  if (id < 0) {
    fold.value = { open, ungrouped: new Set([...ungrouped, groupId(id)]) };
    return;
  }
  const next = new Set(open);
  if (!next.delete(id) && !isLeaf.value(id)) next.add(id);
  selected.value = id;
  fold.value = { open: next, ungrouped };
}

// Open all nodes above a node, and select it.
export function reveal(node: number): void {
  const missing: number[] = [];
  for (let above = parent[node]; above >= 0; above = parent[above]) if (!fold.value.open.has(above)) missing.push(above);
  if (missing.length) fold.value = { ...fold.value, open: new Set([...fold.value.open, ...missing]) };
  selected.value = node;
}

// Nodes of the pruned tree with a text in their question, condition or prediction.
export function find(text: string): number[] {
  const query = text.trim().toLowerCase();
  const hits: number[] = [];
  const waiting = [0];
  while (waiting.length) {
    const node = waiting.pop()!;
    const label = isLeaf.value(node) ? prediction(node) : title(node);
    if (label.toLowerCase().includes(query) || (node && linkCondition(node).toLowerCase().includes(query)) || `node ${node}` === query) hits.push(node);
    if (!isLeaf.value(node)) for (let b = nodes.count[node] - 1; b >= 0; b--) waiting.push(nodes.first[node] + b);
  }
  return hits;
}
