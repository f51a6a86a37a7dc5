// One node of the explorer and the link to it; larger if few nodes are open, one line each if many are.
import type { HierarchyPointNode } from "d3-hierarchy";
import { useEffect, useRef } from "preact/hooks";
import { outcomesOf, briefOutcomesOf, countText, truncate, depth, deviation, report, nodes, parent, predictionText, probabilities, title } from "./values";
import { found, isLeaf, onPath, open, selected, toggle } from "./state";

export interface Visible {
  node: number;
  children: Visible[];
}

export type Placed = HierarchyPointNode<Visible>;

// Sizes: the box of a node, the distance to its neighbor, and to the next level.
export interface Look {
  isLarge: boolean;
  width: number;
  height: number;
  pitch: number;
  level: number;
}

const MAX_LETTERS = 15;

export function lookOf(nEnds: number, labels: string[]): Look {
  const isLarge = nEnds <= 18;
  const letters = Math.min(Math.max(4, ...labels.map((label) => Array.from(label).length)), MAX_LETTERS);
  const width = 150;
  const [height, pitch] = isLarge ? [50, 62] : [26, 34];
  return { isLarge, width, height, pitch, level: width + 44 + 6.3 * letters };
}

const [lowest, highest] = nodes.prediction.reduce<[number, number]>(
  ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
  [Infinity, -Infinity],
);

function leafColor(node: number): { fill: string; strength: number } {
  if (!report.is_class) {
    return { fill: report.number_color, strength: 0.08 + (0.5 * (nodes.prediction[node] - lowest)) / (highest - lowest || 1) };
  }
  const k = Math.max(report.classes.length, 2);
  const certainty = (probabilities(node)[nodes.prediction[node]] - 1 / k) / (1 - 1 / k);
  return { fill: report.colors[nodes.prediction[node]], strength: 0.1 + 0.42 * Math.max(certainty, 0) };
}

interface Box {
  node: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

// Class probabilities as one bar; for a regression the mean ± one standard deviation, on the range of all predictions.
function Bar({ node, x, y, width, height }: Box) {
  if (!report.is_class) return <Spread node={node} x={x} y={y} width={width} height={height} />;
  let start = x;
  return (
    <g>
      {probabilities(node).map((probability, k) => {
        if (probability <= 0) return null;
        const at = start;
        start += probability * width;
        return <rect key={k} x={at} y={y} width={probability * width} height={height} fill={report.colors[k]} />;
      })}
    </g>
  );
}

function Spread({ node, x, y, width, height }: Box) {
  const to = (value: number) => x + (width * Math.min(Math.max(value - lowest, 0), highest - lowest)) / (highest - lowest || 1);
  const [mean, reach] = [nodes.prediction[node], deviation(node)];
  const [from, until] = [to(mean - reach), to(mean + reach)];
  return (
    <g>
      <rect class="track" x={x} y={y + height / 2 - 0.5} width={width} height={1} />
      <rect x={from} y={y} width={Math.max(until - from, 1)} height={height} rx={1} fill={report.number_color} fill-opacity={0.45} />
      <rect x={to(mean) - 1} y={y - 1} width={2} height={height + 2} fill={report.number_color} />
    </g>
  );
}

function NodeText({ node, look, leaf }: { node: number; look: Look; leaf: boolean }) {
  const text = leaf ? predictionText(node) : title(node);
  const rows = nodes.rows[node].toLocaleString("en");
  const inside = look.width - 16;
  if (!look.isLarge) {
    return (
      <>
        <text class={leaf ? "prediction" : "question"} x={8} y={13}>{truncate(text, 15)}</text>
        <text class="rows" x={look.width - (leaf ? 8 : 13)} y={13} text-anchor="end">{rows}</text>
        <Bar node={node} x={8} y={18} width={inside} height={4} />
      </>
    );
  }
  return (
    <>
      <text class={leaf ? "prediction" : "question"} x={8} y={16}>{truncate(text, 19)}</text>
      <Bar node={node} x={8} y={22} width={inside} height={6} />
      <text class="rows" x={8} y={42}>{leaf ? "" : truncate(predictionText(node), 16)}</text>
      <text class="rows" x={look.width - 8} y={42} text-anchor="end">{leaf ? countText(nodes.rows[node], "row") : rows}</text>
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
  const link = parent[node] >= 0 ? outcomesOf(nodes.question[parent[node]])[node - nodes.first[parent[node]]] : "";
  const color = leaf || !isOpen ? leafColor(node) : null;
  const content = leaf ? `leaf: ${predictionText(node)}` : `question: ${title(node)}; prediction: ${predictionText(node)}`;
  const label = [link, content, countText(nodes.rows[node], "row")].filter(Boolean).join("; ");
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
      aria-label={truncate(label, 300)}
      onClick={() => (selected.value = node)}
      onDblClick={() => toggle(node)}
    >
      <title>{truncate(label, 600)}</title>
      <rect class="box" {...shape} />
      {color && <rect {...shape} fill={color.fill} fill-opacity={color.strength} pointer-events="none" />}
      <NodeText node={node} look={look} leaf={leaf} />
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
  const label = briefOutcomesOf(nodes.question[from.data.node])[place];
  const whole = outcomesOf(nodes.question[from.data.node])[place];
  const isMissing = nodes.missing_branch[from.data.node] === place;
  return (
    <g class={onPath.value.has(node) ? "link on-path" : "link"} aria-hidden="true">
      <path d={`M${start} ${from.x}C${start + 22} ${from.x} ${start + 4} ${at.x} ${start + 30} ${at.x}H${at.y}`} stroke-width={wide} />
      <text x={at.y - 6} y={at.x - wide / 2 - 3} text-anchor="end">{truncate(label, MAX_LETTERS)}<title>{truncate(whole, 400) + (isMissing ? " (and missing values)" : "")}</title></text>
    </g>
  );
}
