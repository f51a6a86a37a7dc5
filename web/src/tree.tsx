// The tree to explore: fold, zoom, search, walk by keyboard; an ARIA tree for those who listen to it.
import { hierarchy, tree as layout, type HierarchyPointNode } from "d3-hierarchy";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { answersOf, childrenOf, counted, cut, deepest, depth, facts, nodes, parent, percent, says, shares, size, title } from "./facts";
import { found, initialDepth, isLeaf, notice, onPath, open, openTo, search, selected, toggle } from "./state";

const HIGH = 34;
const CHIP = 172;
const LEVEL = 276;

interface Visible {
  node: number;
  children: Visible[];
}

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

type Placed = HierarchyPointNode<Visible>;

function preorder(root: Placed): Placed[] {
  const out: Placed[] = [];
  root.eachBefore((each) => out.push(each));
  return out;
}

function leafColour(node: number): { fill: string; strength: number } {
  if (!facts.is_class) {
    const all = nodes.answer;
    const low = Math.min(all[0], ...leafRange), high = Math.max(all[0], ...leafRange);
    return { fill: facts.number_colour, strength: 0.08 + (0.5 * (all[node] - low)) / (high - low || 1) };
  }
  const k = Math.max(facts.classes.length, 2);
  const sure = (shares(node)[nodes.answer[node]] - 1 / k) / (1 - 1 / k);
  return { fill: facts.colours[nodes.answer[node]], strength: 0.1 + 0.42 * Math.max(sure, 0) };
}

const leafRange = nodes.answer.reduce<[number, number]>(
  ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
  [Infinity, -Infinity],
);

function below(node: number): number {
  return nodes.hidden[node] ?? 0;
}

function Bar({ node, x, y, width, height }: { node: number; x: number; y: number; width: number; height: number }) {
  if (!facts.is_class) return null;
  let start = x;
  return (
    <g>
      {shares(node).map((share, k) => {
        if (share <= 0) return null;
        const at = start;
        start += share * width;
        return <rect key={k} x={at} y={y} width={share * width} height={height} fill={facts.colours[k]} />;
      })}
    </g>
  );
}

function Chip({ at, order, focusable }: { at: Placed; order: [number, number]; focusable: boolean }) {
  const node = at.data.node;
  const leaf = isLeaf.value(node);
  const isOpen = !leaf && open.value.has(node);
  const isSelected = selected.value === node;
  const ref = useRef<SVGGElement>(null);
  useEffect(() => {
    if (isSelected && document.activeElement?.getAttribute("role") === "treeitem") ref.current?.focus({ preventScroll: true });
  }, [isSelected]);
  const link = parent[node] >= 0 ? answersOf(nodes.question[parent[node]])[node - nodes.first[parent[node]]] : "";
  const words = leaf ? says(node) : title(node);
  const colour = leaf || !isOpen ? leafColour(node) : null;
  const rows = counted(nodes.rows[node], "row");
  const told = [link, leaf ? `leaf: ${words}` : `asks ${words}; most: ${says(node)}`, rows].filter(Boolean).join("; ");
  const marks = ["chip", isSelected && "selected", found.value.has(node) && "found", onPath.value.has(node) && "on-path"];
  return (
    <g
      ref={ref}
      class={marks.filter(Boolean).join(" ")}
      transform={`translate(${at.y} ${at.x - HIGH / 2 + 4})`}
      role="treeitem"
      tabindex={focusable ? 0 : -1}
      data-node={node}
      aria-level={depth[node] + 1}
      aria-posinset={order[0]}
      aria-setsize={order[1]}
      aria-expanded={leaf ? undefined : isOpen}
      aria-selected={isSelected}
      aria-label={cut(told, 300)}
      onClick={() => {
        if (isSelected) toggle(node);
        selected.value = node;
      }}
      onDblClick={(event) => event.preventDefault()}
    >
      <title>{cut(told, 600)}</title>
      <rect class="box" width={CHIP} height={HIGH - 8} rx={leaf ? 8 : 4} />
      {colour && <rect width={CHIP} height={HIGH - 8} rx={leaf ? 8 : 4} fill={colour.fill} fill-opacity={colour.strength} pointer-events="none" />}
      <text class={leaf ? "says" : "asks"} x={8} y={13}>{cut(words, leaf ? 18 : 17)}</text>
      <text class="rows" x={CHIP - (leaf ? 8 : 13)} y={13} text-anchor="end">{nodes.rows[node].toLocaleString("en")}</text>
      <Bar node={node} x={8} y={18} width={CHIP - 16} height={4} />
      {!leaf && (
        <g class="knob" transform={`translate(${CHIP} ${(HIGH - 8) / 2})`} onClick={(event) => { event.stopPropagation(); selected.value = node; toggle(node); }}>
          <circle r={7} />
          <path d={isOpen ? "M-3 0H3" : "M-3 0H3M0 -3V3"} />
        </g>
      )}
      {leaf && below(node) > 0 && <text class="rows" x={CHIP + 6} y={17}>{`+${below(node)} not in this file`}</text>}
    </g>
  );
}

function Link({ at }: { at: Placed }) {
  const from = at.parent!;
  const node = at.data.node;
  const wide = Math.max(1.2, (10 * nodes.rows[node]) / Math.max(nodes.rows[0], 1));
  const start = from.y + CHIP + 7;
  const label = answersOf(nodes.question[from.data.node])[node - nodes.first[from.data.node]];
  const isMissing = nodes.missing[from.data.node] === node - nodes.first[from.data.node];
  return (
    <g class={onPath.value.has(node) ? "link on-path" : "link"} aria-hidden="true">
      <path d={`M${start} ${from.x}C${start + 22} ${from.x} ${start + 4} ${at.x} ${start + 30} ${at.x}H${at.y}`} stroke-width={wide} />
      <text x={at.y - 6} y={at.x + 4} text-anchor="end">{cut(label, 13)}<title>{cut(label, 400) + (isMissing ? " (and unknown values)" : "")}</title></text>
    </g>
  );
}

export function Explorer() {
  const view = useSignal({ x: 20, y: 260, zoom: 1 });
  const level = useSignal(initialDepth());
  const drag = useRef<{ x: number; y: number } | null>(null);
  const frame = useRef<SVGSVGElement>(null);
  const wantsFit = useRef(true);
  const tree = useMemo(() => {
    const placed = layout<Visible>().nodeSize([HIGH, LEVEL]).separation(() => 1)(hierarchy(visible(), (each) => each.children));
    return preorder(placed);
  }, [open.value, isLeaf.value]);
  const chosen = tree.find((each) => each.data.node === selected.value) ?? tree[0];

  useEffect(() => {
    const box = frame.current!.getBoundingClientRect();
    const { x, y, zoom } = view.value;
    const left = chosen.y * zoom + x, top = chosen.x * zoom + y;
    let [dx, dy] = [0, 0];
    if (left < 10) dx = 20 - left;
    if (left + CHIP * zoom > box.width - 10) dx = box.width - 30 - left - CHIP * zoom;
    if (top < 30) dy = 60 - top;
    if (top > box.height - 30) dy = box.height - 60 - top;
    if (dx || dy) view.value = { x: x + dx, y: y + dy, zoom };
  }, [selected.value, open.value]);

  function fit() {
    const box = frame.current!.getBoundingClientRect();
    const top = Math.min(...tree.map((each) => each.x)), bottom = Math.max(...tree.map((each) => each.x));
    const right = Math.max(...tree.map((each) => each.y)) + CHIP + 20;
    const zoom = Math.max(0.12, Math.min(1.2, (box.width - 40) / right, (box.height - 40) / (bottom - top + HIGH)));
    view.value = { x: 20, y: box.height / 2 - ((top + bottom) / 2) * zoom, zoom };
  }
  useEffect(() => {
    if (wantsFit.current) fit();
    wantsFit.current = false;
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
    wantsFit.current = true;
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
      "0": fit,
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
          <button onClick={fit}>fit</button>
          <button onClick={() => zoomBy(1.25)} aria-label="Larger">⊕</button>
        </span>
        <input type="search" placeholder="search columns, values, answers" aria-label="Search the tree" onInput={(event) => search(event.currentTarget.value)} />
        <output aria-live="polite" class="notice">{notice.value}</output>
      </div>
      <svg
        ref={frame}
        class="canvas"
        role="tree"
        aria-label={`Tree of ${facts.target}, ${counted(size, "node")}`}
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
        <g transform={`translate(${x} ${y}) scale(${zoom})`}>
          {tree.filter((each) => each.parent).map((each) => <Link key={`l${each.data.node}`} at={each} />)}
          {tree.map((each) => <Chip key={each.data.node} at={each} order={siblings(each)} focusable={each === chosen} />)}
        </g>
      </svg>
      <p class="hint">
        Click a node for its facts, its knob to open or fold it; drag to move, Ctrl and wheel to zoom. Keys: arrows, Enter, Home, End, +, −, 0.
      </p>
      {facts.is_class && (
        <ul class="legend" aria-label="Colours">
          {facts.classes.slice(0, 24).map((name, k) => (
            <li key={k}><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="2" fill={facts.colours[k]} /></svg> {cut(name, 40)} <span class="quiet">{percent(shares(0)[k])}</span></li>
          ))}
        </ul>
      )}
    </div>
  );
}
