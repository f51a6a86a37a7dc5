// The view of the canvas: fitting, zooming, and which nodes are in sight. Pure functions of a layout and a window.
import { layOut, openTo, type Direction, type Layout, type Placed } from "./layout";
import type { TreeSource } from "./source";

export interface View {
  x: number;
  y: number;
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

export const DOTS_BELOW = 0.35; // at a smaller zoom cards are drawn as dots
const READABLE = 0.7;
const LARGEST_FIT = 1.15;
const MARGIN = 18;
const MAX_FIRST = 160; // cards in the first view

export function fitZoom(layout: Layout, size: Size): number {
  return Math.min(LARGEST_FIT, (size.width - 2 * MARGIN) / (layout.width + 8), (size.height - 2 * MARGIN) / (layout.height + 22));
}

// The view with the whole layout in the middle; not smaller than `least`, then with the root in sight.
export function fitView(layout: Layout, size: Size, least = 0.02): View {
  const whole = fitZoom(layout, size);
  const zoom = Math.max(whole, least);
  const center = (start: number, length: number, room: number) => (room - length * zoom) / 2 - start * zoom;
  const view = { x: center(layout.left, layout.width, size.width), y: center(layout.top, layout.height, size.height), zoom };
  if (zoom <= whole) return view;
  const root = layout.placed[0];
  if (layout.direction === "down") return { zoom, x: size.width / 2 - (root.x + root.width / 2) * zoom, y: MARGIN + 4 - root.y * zoom };
  return { zoom, x: MARGIN - root.x * zoom, y: size.height / 2 - (root.y + root.height / 2) * zoom };
}

export function zoomAt(view: View, factor: number, at: { x: number; y: number }): View {
  const zoom = Math.max(0.02, Math.min(4, view.zoom * factor));
  return { x: at.x - ((at.x - view.x) * zoom) / view.zoom, y: at.y - ((at.y - view.y) * zoom) / view.zoom, zoom };
}

// The view moved as little as needed for a node to be in sight.
export function withNode(view: View, at: Placed, size: Size): View {
  const move = (start: number, length: number, room: number) => {
    if (start < MARGIN) return MARGIN - start;
    return start + length > room - MARGIN ? Math.max(room - MARGIN - start - length, MARGIN - start) : 0;
  };
  const dx = move(at.x * view.zoom + view.x, at.width * view.zoom, size.width);
  const dy = move(at.y * view.zoom + view.y, at.height * view.zoom, size.height);
  return dx || dy ? { ...view, x: view.x + dx, y: view.y + dy } : view;
}

// The part of the layout in sight, in its own coordinates, with a margin.
export function windowOf(view: View, size: Size, margin = 60) {
  const left = (-view.x - margin) / view.zoom;
  const top = (-view.y - margin) / view.zoom;
  return { left, top, right: left + (size.width + 2 * margin) / view.zoom, bottom: top + (size.height + 2 * margin) / view.zoom };
}

export type Window = ReturnType<typeof windowOf>;

export function isCardIn(at: Placed, seen: Window): boolean {
  return at.x < seen.right && at.x + at.width > seen.left && at.y < seen.bottom && at.y + at.height > seen.top;
}

export function isLinkIn(at: Placed, seen: Window): boolean {
  const from = at.parent!;
  return (
    Math.min(at.x, from.x) < seen.right && Math.max(at.x + at.width, from.x + from.width) > seen.left &&
    Math.min(at.y, from.y) < seen.bottom && Math.max(at.y + at.height, from.y + from.height) > seen.top
  );
}

export interface FirstView {
  depth: number;
  open: Set<number>;
  direction: Direction;
}

// The deepest whole levels that fit the window at a readable zoom.
export function firstView(source: TreeSource, deepest: number, size: Size): FirstView {
  const none = new Set<number>();
  let best: FirstView | null = null;
  for (let depth = Math.min(deepest, 1); depth <= deepest; depth++) {
    const { open, isWhole } = openTo(source, depth, MAX_FIRST);
    if (!isWhole && best) break;
    const automatic = layOut(source, { open, ungrouped: none }, null);
    const turned: Direction = automatic.direction === "down" ? "right" : "down";
    const fits = fitZoom(automatic, size) >= READABLE;
    const fitsTurned = !fits && fitZoom(layOut(source, { open, ungrouped: none }, turned), size) >= READABLE;
    if (!best || fits || fitsTurned) best = { depth, open, direction: fitsTurned ? turned : automatic.direction };
    else if (depth > best.depth + 2) break;
  }
  return best!;
}
