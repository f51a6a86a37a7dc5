// The tree of the report as the canvas draws it.
import type { Bar, Card, Histogram, Share, TreeSource } from "../shared/source";
import { count, countText, number, percent } from "../shared/text";
import { NUMBER_COLOR, briefOutcome, childrenOf, classColor, deviation, isHidden, linkCondition, nodes, parent, predictionText, classFractions, report, rowsCount, rowsText, size, title } from "./values";

const SHOWN_CLASSES = 3; // with more than eight classes the bars have the largest three and the others
const ROUNDING = 1e-9;
const [lowest, highest] = nodes.prediction.reduce<[number, number]>(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);

// The largest classes of a node, and the others as one.
export function shares(node: number): Share[] {
  const all = classFractions(node);
  if (all.length <= 8) return all.map((share, k) => ({ color: classColor(k), share }));
  const order = all.map((_, k) => k).sort((a, b) => all[b] - all[a]).slice(0, SHOWN_CLASSES);
  const rest = 1 - order.reduce((sum, k) => sum + all[k], 0);
  return [...order.map((k) => ({ color: classColor(k), share: all[k] })), { color: classColor(-1), share: Math.max(rest, 0) }];
}

export function barOf(node: number): Bar {
  if (report.is_class) return { kind: "shares", parts: isHidden(node) ? [] : shares(node) };
  const to = (value: number) => Math.min(Math.max((value - lowest) / (highest - lowest || 1), 0), 1);
  const [mean, reach] = [nodes.prediction[node], isHidden(node) ? 0 : deviation(node)];
  return { kind: "spread", from: to(mean - reach), mean: to(mean), until: to(mean + reach), color: NUMBER_COLOR };
}

function tintOf(node: number) {
  if (!report.is_class) return { color: NUMBER_COLOR, strength: 0.06 + (0.34 * (nodes.prediction[node] - lowest)) / (highest - lowest || 1) };
  const k = Math.max(report.classes.length, 2);
  const certainty = (classFractions(node)[nodes.prediction[node]] - 1 / k) / (1 - 1 / k);
  return { color: classColor(nodes.prediction[node]), strength: 0.08 + 0.16 * Math.max(certainty, 0) };
}

export function histogramOf(node: number): Histogram | null {
  const profile = report.profiles[node];
  if (!profile) return null;
  const totals = profile.counts.map((bin) => bin.reduce((a, b) => a + b, 0));
  const most = Math.max(...totals, 1e-300);
  const isLevels = profile.labels.length > 0;
  const bins = profile.counts.map((bin, i) => ({
    height: totals[i] / most,
    parts: report.is_class ? bin.map((part, k) => ({ color: classColor(profile.classes[k]), share: part / (totals[i] || 1) })) : [{ color: numberShade(profile.means[i]), share: totals[i] ? 1 : 0 }],
    isTail: profile.has_tail && i === profile.counts.length - 1,
  }));
  const cuts = profile.low === null ? [] : report.questions[nodes.question[node]].reals.map((cut) => (cut - profile.low!) / (profile.high! - profile.low! || 1)).filter((at) => at >= 0 && at <= 1);
  return { bins, isLevels, cuts };
}

// The mean target of a bin as one of nine shades.
function numberShade(mean: number | null): string {
  const at = mean === null ? 0 : Math.min(Math.max((mean - lowest) / (highest - lowest || 1), 0), 1);
  return `var(--shade-${Math.round(at * 8)})`;
}

// The fraction of correctly classified test rows of a node, with the limits of Wilson's 95% interval.
export function testRate(node: number): { rate: number; low: number; high: number; rows: number } | null {
  const test = nodes.test;
  if (!test || !report.is_class || !(test.rows[node] > 0) || test.rows[node] < report.hide_below) return null;
  const [n, rate, z] = [test.rows[node], 1 - test.loss[node] / test.rows[node], 1.959964];
  const middle = (rate + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const reach = (z / (1 + (z * z) / n)) * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n));
  return { rate, low: middle - reach, high: middle + reach, rows: n };
}

function testNote(node: number): string {
  const test = nodes.test;
  if (!test) return "";
  const rate = testRate(node);
  if (rate) return `test ${percent(rate.rate)} of ${count(rate.rows)}`;
  if (test.rows[node] < Math.max(report.hide_below, 1e-9)) return report.hide_below ? `test: fewer than ${report.hide_below} rows` : "no test rows";
  return `test: ± ${number(Math.sqrt(test.loss[node] / test.rows[node]), 3)}, ${countText(test.rows[node], "row")}`;
}

export function sourceOf(isLeaf: (node: number) => boolean): TreeSource {
  const none: number[] = [];
  const children = new Map<number, number[]>();
  const below = new Int32Array(size).fill(-1);
  function leavesBelow(node: number): number {
    if (below[0] < 0) {
      for (let at = size - 1; at >= 0; at--) {
        below[at] = 0;
        if (isLeaf(at)) below[at] = 1;
        else for (let b = 0; b < nodes.count[at]; b++) below[at] += below[nodes.first[at] + b];
      }
    }
    return below[node];
  }
  function card(node: number): Card {
    const leaf = isLeaf(node);
    const rate = leaf ? testRate(node) : null;
    const own = report.is_class ? classFractions(node)[nodes.prediction[node]] : 0;
    const text = leaf ? `leaf: ${predictionText(node)}` : `question: ${title(node)}; prediction: ${predictionText(node)}`;
    return {
      title: leaf ? predictionText(node) : title(node),
      corner: rowsCount(node),
      bar: barOf(node),
      thinBar: rate ? { kind: "shares", parts: [{ color: classColor(nodes.prediction[node]), share: rate.rate }] } : null,
      note: leaf ? testNote(node) : predictionText(node),
      histogram: leaf ? null : histogramOf(node),
      tint: leaf ? tintOf(node) : null,
      hasWarning: rate !== null && (own < rate.low - ROUNDING || own > rate.high + ROUNDING),
      label: [node ? linkCondition(node) : "all rows", text, rowsText(node), leaf ? testNote(node) : ""].filter(Boolean).join("; "),
    };
  }
  const cards = new Map<number, Card>();
  return {
    childrenOf: (node) => {
      if (isLeaf(node)) return none;
      if (!children.has(node)) children.set(node, childrenOf(node));
      return children.get(node)!;
    },
    parentOf: (node) => parent[node],
    rows: (node) => (report.hide_below ? Math.max(nodes.rows[node], 1) : nodes.rows[node]), // hidden counts are not empty
    leavesBelow,
    omittedBelow: (node) => nodes.hidden[node] ?? 0,
    heading: (node) => ({ title: isLeaf(node) ? predictionText(node) : title(node), corner: rowsCount(node) }),
    card: (node) => {
      if (!cards.has(node)) cards.set(node, card(node));
      return cards.get(node)!;
    },
    link: (child) => {
      const above = parent[child];
      const at = child - nodes.first[above];
      return { parts: briefOutcome(nodes.question[above], at), isMissing: nodes.missing_branch[above] === at };
    },
    color: (node) => (!isLeaf(node) ? "var(--ghost)" : report.is_class ? classColor(nodes.prediction[node]) : NUMBER_COLOR),
    hasNotes: nodes.test !== null,
  };
}
