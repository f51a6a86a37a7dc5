// One node of the explorer and the link that leads to it; roomy while few are open, one line each when many are.
import type { HierarchyPointNode } from "d3-hierarchy";
import { useEffect, useRef } from "preact/hooks";
import { answersOf, briefAnswersOf, counted, cut, depth, deviation, facts, nodes, parent, says, shares, title } from "./facts";
import { found, isLeaf, onPath, open, selected, toggle } from "./state";

export interface Visible {
  node: number;
  children: Visible[];
}

export type Placed = HierarchyPointNode<Visible>;

// How large things are: the box of a node, the distance of its neighbour, and that of the next level.
export interface Look {
  isRoomy: boolean;
  width: number;
  height: number;
  pitch: number;
  level: number;
}

const MOST_LETTERS = 15;

export function lookOf(nEnds: number, labels: string[]): Look {
  const isRoomy = nEnds <= 18;
  const letters = Math.min(Math.max(4, ...labels.map((label) => Array.from(label).length)), MOST_LETTERS);
  const width = 150;
  const [height, pitch] = isRoomy ? [50, 62] : [26, 34];
  return { isRoomy, width, height, pitch, level: width + 44 + 6.3 * letters };
}

const [lowest, highest] = nodes.answer.reduce<[number, number]>(
  ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
  [Infinity, -Infinity],
);

function leafColour(node: number): { fill: string; strength: number } {
  if (!facts.is_class) {
    return { fill: facts.number_colour, strength: 0.08 + (0.5 * (nodes.answer[node] - lowest)) / (highest - lowest || 1) };
  }
  const k = Math.max(facts.classes.length, 2);
  const sure = (shares(node)[nodes.answer[node]] - 1 / k) / (1 - 1 / k);
  return { fill: facts.colours[nodes.answer[node]], strength: 0.1 + 0.42 * Math.max(sure, 0) };
}

interface Place {
  node: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

// Class shares side by side; of numbers the mean and one deviation either side, on the range of all answers.
function Bar({ node, x, y, width, height }: Place) {
  if (!facts.is_class) return <Spread node={node} x={x} y={y} width={width} height={height} />;
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

function Spread({ node, x, y, width, height }: Place) {
  const to = (value: number) => x + (width * Math.min(Math.max(value - lowest, 0), highest - lowest)) / (highest - lowest || 1);
  const [mean, reach] = [nodes.answer[node], deviation(node)];
  const [from, until] = [to(mean - reach), to(mean + reach)];
  return (
    <g>
      <rect class="track" x={x} y={y + height / 2 - 0.5} width={width} height={1} />
      <rect x={from} y={y} width={Math.max(until - from, 1)} height={height} rx={1} fill={facts.number_colour} fill-opacity={0.45} />
      <rect x={to(mean) - 1} y={y - 1} width={2} height={height + 2} fill={facts.number_colour} />
    </g>
  );
}

function Words({ node, look, leaf }: { node: number; look: Look; leaf: boolean }) {
  const words = leaf ? says(node) : title(node);
  const rows = nodes.rows[node].toLocaleString("en");
  const inside = look.width - 16;
  if (!look.isRoomy) {
    return (
      <>
        <text class={leaf ? "says" : "asks"} x={8} y={13}>{cut(words, 15)}</text>
        <text class="rows" x={look.width - (leaf ? 8 : 13)} y={13} text-anchor="end">{rows}</text>
        <Bar node={node} x={8} y={18} width={inside} height={4} />
      </>
    );
  }
  return (
    <>
      <text class={leaf ? "says" : "asks"} x={8} y={16}>{cut(words, 19)}</text>
      <Bar node={node} x={8} y={22} width={inside} height={6} />
      <text class="rows" x={8} y={42}>{leaf ? "" : cut(says(node), 16)}</text>
      <text class="rows" x={look.width - 8} y={42} text-anchor="end">{leaf ? counted(nodes.rows[node], "row") : rows}</text>
    </>
  );
}

export function Chip({ at, order, focusable, look }: { at: Placed; order: [number, number]; focusable: boolean; look: Look }) {
  const node = at.data.node;
  const leaf = isLeaf.value(node);
  const isOpen = !leaf && open.value.has(node);
  const isSelected = selected.value === node;
  const ref = useRef<SVGGElement>(null);
  useEffect(() => {
    if (isSelected && document.activeElement?.getAttribute("role") === "treeitem") ref.current?.focus({ preventScroll: true });
  }, [isSelected]);
  const link = parent[node] >= 0 ? answersOf(nodes.question[parent[node]])[node - nodes.first[parent[node]]] : "";
  const colour = leaf || !isOpen ? leafColour(node) : null;
  const asks = leaf ? `leaf: ${says(node)}` : `asks ${title(node)}; most: ${says(node)}`;
  const told = [link, asks, counted(nodes.rows[node], "row")].filter(Boolean).join("; ");
  const marks = ["chip", isSelected && "selected", found.value.has(node) && "found", onPath.value.has(node) && "on-path"];
  const hidden = nodes.hidden[node] ?? 0;
  const shape = { width: look.width, height: look.height, rx: leaf ? 9 : 4 };
  return (
    <g
      ref={ref}
      class={marks.filter(Boolean).join(" ")}
      transform={`translate(${at.y} ${at.x - look.height / 2})`}
      role="treeitem"
      tabindex={focusable ? 0 : -1}
      data-node={node}
      aria-level={depth[node] + 1}
      aria-posinset={order[0]}
      aria-setsize={order[1]}
      aria-expanded={leaf ? undefined : isOpen}
      aria-selected={isSelected}
      aria-label={cut(told, 300)}
      onClick={() => (selected.value = node)}
      onDblClick={() => toggle(node)}
    >
      <title>{cut(told, 600)}</title>
      <rect class="box" {...shape} />
      {colour && <rect {...shape} fill={colour.fill} fill-opacity={colour.strength} pointer-events="none" />}
      <Words node={node} look={look} leaf={leaf} />
      {!leaf && (
        <g class="knob" transform={`translate(${look.width} ${look.height / 2})`} onClick={(event) => { event.stopPropagation(); selected.value = node; toggle(node); }} onDblClick={(event) => event.stopPropagation()}>
          <circle r={7} />
          <path d={isOpen ? "M-3 0H3" : "M-3 0H3M0 -3V3"} />
        </g>
      )}
      {leaf && hidden > 0 && <text class="rows" x={look.width + 6} y={look.height / 2 + 4}>{`+${hidden} not in this file`}</text>}
    </g>
  );
}

export function Link({ at, look }: { at: Placed; look: Look }) {
  const from = at.parent!;
  const node = at.data.node;
  const wide = Math.max(1.2, (10 * nodes.rows[node]) / Math.max(nodes.rows[0], 1));
  const start = from.y + look.width + 7;
  const place = node - nodes.first[from.data.node];
  const label = briefAnswersOf(nodes.question[from.data.node])[place];
  const whole = answersOf(nodes.question[from.data.node])[place];
  const isMissing = nodes.missing[from.data.node] === place;
  return (
    <g class={onPath.value.has(node) ? "link on-path" : "link"} aria-hidden="true">
      <path d={`M${start} ${from.x}C${start + 22} ${from.x} ${start + 4} ${at.x} ${start + 30} ${at.x}H${at.y}`} stroke-width={wide} />
      <text x={at.y - 6} y={at.x - wide / 2 - 3} text-anchor="end">{cut(label, MOST_LETTERS)}<title>{cut(whole, 400) + (isMissing ? " (and unknown values)" : "")}</title></text>
    </g>
  );
}
