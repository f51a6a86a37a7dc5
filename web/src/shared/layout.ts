// The positions of the visible nodes: which nodes are visible, the sizes of their cards, and where each card is.
import { hierarchy, tree as tidy, type HierarchyPointNode } from "d3-hierarchy";
import { textWidth } from "./text";
import type { TreeSource } from "./source";

export const MAX_VISIBLE = 8000;
const FULL_LEAVES = 12; // with more leaves the cards are compact
const MAX_BRANCHES = 60;
const SHOWN_BRANCHES = 50;
const CUT_MEASURED = 1500;

export type Direction = "down" | "right";

export interface Fold {
  open: ReadonlySet<number>;
  ungrouped: ReadonlySet<number>; // nodes whose empty or small branches are shown individually
}

// A visible node, or a group of branches of a node (`node` is then the parent).
export interface Item {
  id: number;
  node: number;
  depth: number;
  group: number[] | null;
  isEmptyGroup: boolean;
  children: Item[];
}

export interface Placed {
  item: Item;
  parent: Placed | null;
  children: Placed[];
  index: number; // in drawing order
  x: number; // left edge
  y: number; // top edge
  width: number;
  height: number;
}

export interface Layout {
  direction: Direction;
  isFull: boolean;
  placed: Placed[]; // parents first
  byId: Map<number, Placed>;
  left: number;
  top: number;
  width: number;
  height: number;
}

export const groupId = (parent: number): number => -2 - parent;

// The branches of a node; those without rows, or the smallest of very many, are one group.
function itemsBelow(source: TreeSource, node: number, depth: number, fold: Fold): Item[] {
  const children = source.childrenOf(node);
  let grouped: number[] = [];
  let isEmptyGroup = true;
  if (!fold.ungrouped.has(node)) {
    grouped = children.filter((child) => source.rows(child) === 0 && source.childrenOf(child).length === 0);
    if (grouped.length < 2) grouped = [];
    if (children.length - grouped.length > MAX_BRANCHES) {
      grouped = [...children].sort((a, b) => source.rows(b) - source.rows(a)).slice(SHOWN_BRANCHES);
      isEmptyGroup = false;
    }
  }
  const hidden = new Set(grouped);
  const items = children.filter((child) => !hidden.has(child)).map((child) => item(child, depth));
  if (grouped.length) items.push({ ...item(node, depth), id: groupId(node), group: grouped, isEmptyGroup });
  return items;
}

function item(node: number, depth: number): Item {
  return { id: node, node, depth, group: null, isEmptyGroup: false, children: [] };
}

export function visibleItems(source: TreeSource, fold: Fold): { root: Item; all: Item[] } {
  const root = item(0, 0);
  const all = [root];
  for (let at = 0; at < all.length && all.length < MAX_VISIBLE; at++) {
    const each = all[at];
    if (each.group || !fold.open.has(each.node)) continue;
    each.children = itemsBelow(source, each.node, each.depth + 1, fold);
    all.push(...each.children);
  }
  return { root, all };
}

interface Sizes {
  isFull: boolean;
  inner: [number, number];
  leaf: [number, number];
  link: number; // the widest label of a link
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

function sizesOf(source: TreeSource, all: Item[]): Sizes {
  const isFull = all.filter((each) => !each.children.length).length <= FULL_LEAVES;
  let [inner, leaf, link] = [0, 0, 0];
  for (const each of all.slice(0, CUT_MEASURED)) {
    if (each.group) continue;
    const { title, corner } = source.heading(each.node);
    const width = textWidth(title, isFull ? 12 : 11, 600) + textWidth(corner, 11) + 30;
    if (isFull && !source.childrenOf(each.node).length) leaf = Math.max(leaf, width);
    else inner = Math.max(inner, width);
    if (each.depth) link = Math.max(link, textWidth(source.link(each.node).parts[0] ?? "", 11) + 26);
  }
  if (!isFull) {
    const size: [number, number] = [Math.ceil(clamp(inner, 118, 190)), 38];
    return { isFull, inner: size, leaf: size, link: clamp(link, 50, 110) };
  }
  return {
    isFull,
    inner: [Math.ceil(clamp(inner, 158, 220)), 92],
    leaf: [Math.ceil(clamp(leaf, 112, 190)), source.hasNotes ? 70 : 50],
    link: clamp(link, 60, 130),
  };
}

export function sizeOf(source: TreeSource, each: Item, sizes: Sizes): [number, number] {
  if (each.group) return [sizes.isFull ? 112 : 96, 30];
  return source.childrenOf(each.node).length ? sizes.inner : sizes.leaf;
}

// The layout of the visible nodes; without a direction few leaves grow downward and many to the right.
export function layOut(source: TreeSource, fold: Fold, direction: Direction | null): Layout {
  const { root, all } = visibleItems(source, fold);
  const sizes = sizesOf(source, all);
  const chosen = direction ?? (sizes.isFull ? "down" : "right");
  const isDown = chosen === "down";
  const across = (each: HierarchyPointNode<Item>) => sizeOf(source, each.data, sizes)[isDown ? 0 : 1];
  const pitch = isDown ? sizes.inner[1] + (sizes.isFull ? 42 : 40) : sizes.inner[0] + sizes.link + 18;
  const gaps = isDown ? [12, 22] : sizes.isFull ? [14, 24] : [6, 12];
  const positions = tidy<Item>()
    .nodeSize([1, 1])
    .separation((a, b) => (across(a) + across(b)) / 2 + gaps[a.parent === b.parent ? 0 : 1])(hierarchy(root, (each) => each.children));
  const placed: Placed[] = [];
  const byId = new Map<number, Placed>();
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  positions.eachBefore((each) => {
    const [width, height] = sizeOf(source, each.data, sizes);
    const x = isDown ? each.x - width / 2 : each.depth * pitch;
    const y = isDown ? each.depth * pitch : each.x - height / 2;
    const parent = each.parent ? byId.get(each.parent.data.id)! : null;
    const at: Placed = { item: each.data, parent, children: [], index: placed.length, x, y, width, height };
    parent?.children.push(at);
    placed.push(at);
    byId.set(at.item.id, at);
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + width);
    box.bottom = Math.max(box.bottom, y + height);
  });
  // Room for the knobs of closed nodes.
  const isFolded = placed.some((at) => !at.children.length && !at.item.group && source.childrenOf(at.item.node).length > 0);
  if (isFolded && isDown) box.bottom += 10;
  else if (isFolded) box.right += 44;
  return { direction: chosen, isFull: sizes.isFull, placed, byId, left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top };
}

// All nodes above a depth are open, in breadth-first order, as far as the limit of visible nodes allows.
export function openTo(source: TreeSource, depth: number, most = MAX_VISIBLE): { open: Set<number>; isWhole: boolean } {
  const open = new Set<number>();
  let level = [0];
  let visible = 1;
  for (let at = 0; at < depth && level.length; at++) {
    const next: number[] = [];
    for (const node of level) {
      const children = source.childrenOf(node);
      if (!children.length) continue;
      if (visible + children.length > most) return { open, isWhole: false };
      visible += children.length;
      open.add(node);
      for (const child of children) next.push(child);
    }
    level = next;
  }
  return { open, isWhole: true };
}
