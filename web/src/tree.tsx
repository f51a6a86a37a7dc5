// The explorer of the tree: fold, zoom, search, keyboard navigation; an ARIA tree for screen readers.
import { hierarchy, tree as layout } from "d3-hierarchy";
import { signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Chip, Link, lookOf, type Look, type Placed, type Visible } from "./chips";
import { briefOutcomesOf, childrenOf, countText, truncate, deepest, report, nodes, percent, probabilities, size } from "./values";
import { save } from "./save";
import { initialDepth, isLeaf, notice, open, openTo, search, selected, toggle } from "./state";

const MIN_READABLE_ZOOM = 0.8;

// In print all open nodes are drawn, as large as the page allows.
const paper = matchMedia("print");
const printing = signal(paper.matches);
paper.addEventListener("change", () => (printing.value = paper.matches));

function visible(): Visible {
  const root: Visible = { node: 0, children: [] };
  const waiting = [root];
  while (waiting.length) {
    const at = waiting.pop()!;
    if (!isLeaf.value(at.node) && open.value.has(at.node)) {
      at.children = childrenOf(at.node).map((node) => ({ node, children: [] }));
      waiting.push(...at.children);
    }
  }
  return root;
}

function preorder(root: Placed): Placed[] {
  const out: Placed[] = [];
  root.eachBefore((each) => out.push(each));
  return out;
}

function reach(tree: Placed[]): { top: number; bottom: number; right: number } {
  let [top, bottom, right] = [Infinity, -Infinity, 0];
  for (const each of tree) [top, bottom, right] = [Math.min(top, each.x), Math.max(bottom, each.x), Math.max(right, each.y)];
  return { top, bottom, right };
}

function boxOf({ top, bottom, right }: ReturnType<typeof reach>, look: Look): string {
  const margin = Object.keys(nodes.hidden).length ? 120 : 20; // for the numbers of omitted nodes
  return `-8 ${top - look.pitch / 2} ${right + look.width + margin} ${bottom - top + look.pitch}`;
}

export function Explorer() {
  const view = useSignal({ x: 20, y: 260, zoom: 1 });
  const level = useSignal(initialDepth());
  const drag = useRef<{ x: number; y: number } | null>(null);
  const frame = useRef<SVGSVGElement>(null);
  const needsFit = useRef(true);
  const { tree, look } = useMemo(() => {
    const root = hierarchy(visible(), (each) => each.children);
    const inner = root.descendants().filter((each) => each.children);
    const look = lookOf(root.leaves().length, inner.flatMap((each) => briefOutcomesOf(nodes.question[each.data.node])));
    const placed = layout<Visible>().nodeSize([look.pitch, look.level]).separation(() => 1)(root);
    return { tree: preorder(placed), look };
  }, [open.value, isLeaf.value]);
  const chosen = tree.find((each) => each.data.node === selected.value) ?? tree[0];

  useEffect(() => {
    const box = frame.current!.getBoundingClientRect();
    const { x, y, zoom } = view.value;
    const left = chosen.y * zoom + x, top = chosen.x * zoom + y;
    let [dx, dy] = [0, 0];
    if (left < 10) dx = 20 - left;
    if (left + look.width * zoom > box.width - 10) dx = box.width - 30 - left - look.width * zoom;
    if (top < 30) dy = 60 - top;
    if (top > box.height - 30) dy = box.height - 60 - top;
    if (dx || dy) view.value = { x: x + dx, y: y + dy, zoom };
  }, [selected.value, open.value]);

  // Fit the whole tree; initially not smaller than readable, with the root visible.
  function fit(minZoom = 0.12) {
    const box = frame.current!.getBoundingClientRect();
    const { top, bottom, right } = reach(tree);
    const tall = bottom - top + look.pitch;
    const zoom = Math.max(minZoom, Math.min(1.2, (box.width - 40) / (right + look.width + 20), (box.height - 30) / tall));
    view.value = { x: 20, y: box.height / 2 - (tall * zoom > box.height ? tree[0].x : (top + bottom) / 2) * zoom, zoom };
  }
  useEffect(() => {
    if (needsFit.current) fit(MIN_READABLE_ZOOM);
    needsFit.current = false;
  }, [tree]);

  function zoomBy(factor: number, cx?: number, cy?: number) {
    const box = frame.current!.getBoundingClientRect();
    const [px, py] = [cx ?? box.width / 2, cy ?? box.height / 2];
    const { x, y, zoom } = view.value;
    const next = Math.max(0.05, Math.min(4, zoom * factor));
    view.value = { x: px - ((px - x) * next) / zoom, y: py - ((py - y) * next) / zoom, zoom: next };
  }

  function stepTo(next: number) {
    level.value = Math.max(0, Math.min(deepest, next));
    needsFit.current = true;
    openTo(level.value);
  }

  function onKey(event: KeyboardEvent) {
    const place = tree.indexOf(chosen);
    const node = chosen.data.node;
    const go = (to: Placed | null | undefined) => to && (selected.value = to.data.node);
    const actions: Record<string, () => void> = {
      ArrowDown: () => go(tree[place + 1]),
      ArrowUp: () => go(tree[place - 1]),
      ArrowRight: () => (chosen.children ? go(chosen.children[0]) : toggle(node)),
      ArrowLeft: () => (open.value.has(node) ? toggle(node) : go(chosen.parent)),
      Home: () => go(tree[0]),
      End: () => go(tree[tree.length - 1]),
      Enter: () => toggle(node),
      " ": () => toggle(node),
      "+": () => zoomBy(1.2),
      "-": () => zoomBy(1 / 1.2),
      "0": () => fit(),
    };
    if (!event.ctrlKey && !event.metaKey && !event.altKey && actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
      requestAnimationFrame(() => {
        const item = frame.current?.querySelector<SVGGElement>(`[data-node="${selected.value}"]`);
        item?.focus({ preventScroll: true });
      });
    }
  }

  const siblings = (each: Placed): [number, number] => {
    const all = each.parent?.children ?? [each];
    return [all.indexOf(each) + 1, all.length];
  };
  const { x, y, zoom } = view.value;
  const extent = reach(tree);
  return (
    <div class="explorer">
      <div class="toolbar" role="toolbar" aria-label="Tree">
        <span class="group">
          <button onClick={() => stepTo(level.value - 1)} aria-label="One level less" disabled={level.value <= 0}>−</button>
          <output aria-live="polite">{`depth ${level.value} of ${deepest}`}</output>
          <button onClick={() => stepTo(level.value + 1)} aria-label="One level more" disabled={level.value >= deepest}>+</button>
        </span>
        <span class="group">
          <button onClick={() => zoomBy(1 / 1.25)} aria-label="Smaller">⊖</button>
          <button onClick={() => fit()}>fit</button>
          <button onClick={() => zoomBy(1.25)} aria-label="Larger">⊕</button>
        </span>
        <button onClick={() => save(frame.current!)}>save SVG</button>
        <input type="search" placeholder="search columns, values, predictions" aria-label="Search the tree" onInput={(event) => search(event.currentTarget.value)} />
        <output aria-live="polite" class="notice">{notice.value}</output>
      </div>
      <svg
        ref={frame}
        class="canvas"
        viewBox={printing.value ? boxOf(extent, look) : undefined}
        height={Math.round(Math.max(320, extent.bottom - extent.top + look.pitch + 60))}
        role="tree"
        aria-label={`Tree of ${report.target}, ${countText(size, "node")}`}
        onKeyDown={onKey}
        onWheel={(event) => {
          if (!event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          const box = frame.current!.getBoundingClientRect();
          zoomBy(event.deltaY < 0 ? 1.12 : 1 / 1.12, event.clientX - box.left, event.clientY - box.top);
        }}
        onPointerDown={(event) => (drag.current = { x: event.clientX - x, y: event.clientY - y })}
        onPointerMove={(event) => {
          if (drag.current && event.buttons) view.value = { x: event.clientX - drag.current.x, y: event.clientY - drag.current.y, zoom };
        }}
        onPointerUp={() => (drag.current = null)}
        onPointerLeave={() => (drag.current = null)}
      >
        <g transform={printing.value ? undefined : `translate(${x} ${y}) scale(${zoom})`}>
          {tree.filter((each) => each.parent).map((each) => <Link key={`l${each.data.node}`} at={each} look={look} />)}
          {tree.map((each) => <Chip key={each.data.node} at={each} order={siblings(each)} focusable={each === chosen} look={look} />)}
        </g>
      </svg>
      <p class="hint">
        Click a node for its details and rows; double-click it or click its knob to open or close it; drag to move, Ctrl and wheel to zoom. Keys: arrows, Enter, Home, End, +, −, 0.
      </p>
      {report.is_class && (
        <ul class="legend" aria-label="Colors">
          {report.classes.slice(0, 24).map((name, k) => (
            <li key={k}><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="2" fill={report.colors[k]} /></svg> {truncate(name, 40)} <span class="quiet">{percent(probabilities(0)[k])}</span></li>
          ))}
        </ul>
      )}
    </div>
  );
}
