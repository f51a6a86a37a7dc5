// The values of the report: the JSON block that Python wrote, and functions of them.
import { count, countText, number, percent } from "../shared/text";

export interface ColumnValues {
  name: string;
  kind: "numeric" | "ordinal" | "nominal";
  levels: string[];
  low: number | null;
  high: number | null;
  typical: number | null;
  is_used: boolean;
}

export interface QuestionValues {
  encoding: number; // 0 cuts, 1 map, 2 plane, 3 ball, 4 combined
  column: number;
  first: number;
  missing: number;
  whole: number[];
  reals: number[];
  title: string | null; // null: the column's name
  outcomes: string[]; // empty: from the cut, or from the levels of each branch
}

// The values of the tested column among the training rows of a node: counts per bin and class, the classes of the
// counts (-1: all others), and for a regression the mean target per bin.
export interface ProfileValues {
  low: number | null; // null: one bin per level or branch
  high: number | null;
  labels: string[];
  classes: number[];
  counts: number[][];
  means: (number | null)[];
  has_tail: boolean;
}

// The weakest-link sequence: misclassified fractions or mean squared errors of each tree.
export interface PruningValues {
  alphas: number[];
  leaves: number[];
  training: number[];
  test: number[] | null;
}

export interface NodeValues {
  first: number[];
  count: number[];
  question: number[];
  missing_branch: number[];
  rows: number[];
  stats: number[][];
  probabilities: number[][] | null; // null: the class fractions of `stats`
  prediction: number[];
  impurity: number[];
  gain: number[];
  reason: number[];
  hidden: Record<string, number>;
  surrogates: Record<string, [number, number, number][]>; // question, flipped, agreement
  competitors: Record<string, [number, number | null][]>; // question, gain
  collapse: (number | null)[];
  test: { rows: number[]; loss: number[]; ended: number[] } | null;
}

// Rows that the page includes: test rows first, then training rows; values of some columns only.
export interface RowValues {
  columns: number[];
  n_test: number;
  n_included: [number, number];
  n_rows: [number, number];
  row: number[];
  target: string[];
  end: number[];
  values: (number | null)[][];
}

// An ensemble: the tree of the page is a surrogate that imitates it.
export interface EnsembleValues {
  name: string;
  fidelity: string;
  scale: string; // of the contributions
  output: string; // the class, or the prediction, of dependence and contributions
  dependence: { column: string; labels: string[]; grid: number[]; values: number[] }[];
  contributions: [string, number][];
  calibration: [number, number, number, number][]; // mean probability, observed fraction, its interval
  groups: { caption: string; head: string[]; rows: string[][] }[];
  trees: { title: string; code: string }[];
}

export interface RocValues {
  label: string;
  thresholds: (number | null)[];
  false_rates: number[];
  true_rates: number[];
  positives: number;
  negatives: number;
  area: string;
  is_positive: boolean; // the class of the metrics
}

export interface ReportValues {
  title: string;
  summary: string;
  target: string;
  is_class: boolean;
  classes: string[];
  colors: { light: string[]; dark: string[] };
  number_color: { light: string; dark: string };
  hide_below: number; // counts are multiples of it; smaller ones are hidden; 0: exact counts
  privacy: string[];
  unseen: string;
  columns: ColumnValues[];
  data: { heading: string; rows: string[][]; notes: string[] } | null;
  nodes: NodeValues;
  reasons: string[];
  questions: QuestionValues[];
  profiles: Record<string, ProfileValues>;
  pruning: PruningValues;
  rows: RowValues;
  scores: { heading: string; headline: string[]; tables: { caption: string; head: string[]; rows: string[][] }[]; reasons: string[] } | null;
  roc: RocValues[];
  importances: [string, number][];
  ensemble: EnsembleValues | null;
  diagnostics: string[];
  rerun: { title: string; code: string }[];
  card: { title: string; sentences: string[]; head: string[]; rows: string[][] }[];
}

type Written = null | [number, number, number, number, number[], number[], string | null, string[]];

function read(): ReportValues {
  const parsed = JSON.parse(document.getElementById("values")!.textContent!);
  const questions = (parsed.questions as Written[]).map((written): QuestionValues => {
    // A question that no node on the page uses is not included.
    const [encoding, column, first, missing, whole, reals, title, outcomes] = written ?? [0, -1, 0, -1, [], [], null, []];
    return { encoding, column, first, missing, whole, reals, title, outcomes };
  });
  return { ...parsed, questions };
}

export const report = read();
export const nodes = report.nodes;
export const size = nodes.first.length;

export const parent = new Int32Array(size).fill(-1);
export const depth = new Int32Array(size);
export const branch = new Int32Array(size);
for (let node = 0; node < size; node++) {
  for (let b = 0; b < nodes.count[node]; b++) {
    const child = nodes.first[node] + b;
    parent[child] = node;
    depth[child] = depth[node] + 1;
    branch[child] = b;
  }
}

export function childrenOf(node: number): number[] {
  return Array.from({ length: nodes.count[node] }, (_, b) => nodes.first[node] + b);
}

export function title(node: number): string {
  const question = report.questions[nodes.question[node]];
  return question.title ?? report.columns[question.column].name;
}

// The outcome of a branch: the names of its levels, or one text.
export function outcomeParts(row: number, at: number, digits = 6): string[] {
  const question = report.questions[row];
  if (question.outcomes.length) return [question.outcomes[at] ?? "missing"];
  if (question.encoding === 1) {
    const levels = report.columns[question.column].levels;
    const parts = question.whole.flatMap((branch, code) => (branch === at ? [levels[code] ?? `level ${code}`] : []));
    return parts.length ? parts : [at >= Math.max(...question.whole) + 1 ? "missing" : "no level"];
  }
  if (at > 1) return ["missing"];
  return [`${at ? ">" : "≤"} ${number(question.reals[0], digits)}`];
}

export function outcomeText(row: number, at: number): string {
  return outcomeParts(row, at).join(", ");
}

// Four digits, and one after the decimal point.
export function briefOutcome(row: number, at: number): string[] {
  const cut = report.questions[row].reals[0] ?? 0;
  const whole = Math.max(Math.floor(Math.log10(Math.abs(cut) || 1)) + 1, 0);
  return outcomeParts(row, at, Math.min(Math.max(4, whole + 1), 15));
}

// The condition that a row satisfies if it takes a branch of a question, with all levels.
export function condition(row: number, at: number): string {
  const question = report.questions[row];
  const outcome = outcomeText(row, at);
  if (question.title === null) return `${report.columns[question.column].name}${/^[≤>]/.test(outcome) ? " " : ": "}${outcome}`;
  return `${question.title} ${outcome}`;
}

// The fractions of the classes among the training rows of a node.
export function classFractions(node: number): number[] {
  const stats = nodes.stats[node];
  const total = stats.reduce((a, b) => a + b, 0);
  if (!(total > 0)) return stats.map((_, k) => (k === nodes.prediction[node] ? 1 : 0));
  return stats.map((weight) => weight / total);
}

// The class probabilities that a node predicts.
export const probabilities = (node: number): number[] => nodes.probabilities?.[node] ?? classFractions(node);

export function prediction(node: number): string {
  return report.is_class ? report.classes[nodes.prediction[node]] : number(nodes.prediction[node], 4);
}

// Whether the number of rows of a node, or all of its class counts, are hidden.
export const isHidden = (node: number): boolean => report.hide_below > 0 && (nodes.rows[node] < report.hide_below || !(weight(node) > 0));

// Fractions of rounded counts are approximate.
export function share(fraction: number): string {
  return (report.hide_below ? "≈ " : "") + percent(fraction);
}

export function predictionText(node: number): string {
  if (!report.is_class) return isHidden(node) ? prediction(node) : `${prediction(node)} ± ${number(deviation(node), 3)}`;
  return isHidden(node) ? prediction(node) : `${prediction(node)} ${share(classFractions(node)[nodes.prediction[node]])}`;
}

export function rowsCount(node: number): string {
  return nodes.rows[node] < report.hide_below ? `<${report.hide_below}` : count(nodes.rows[node]);
}

export function rowsText(node: number): string {
  return nodes.rows[node] < report.hide_below ? `fewer than ${report.hide_below} rows` : countText(nodes.rows[node], "row");
}

export function deviation(node: number): number {
  const [weight, , squares] = nodes.stats[node];
  return weight > 0 ? Math.sqrt(Math.max(squares, 0) / weight) : 0;
}

// The training weight of a node.
export function weight(node: number): number {
  const stats = nodes.stats[node];
  return report.is_class ? stats.reduce((a, b) => a + b, 0) : stats[0];
}

// The training loss of a node as a leaf: misclassified weight, or the sum of squares.
export function loss(node: number): number {
  const stats = nodes.stats[node];
  return report.is_class ? weight(node) - stats[nodes.prediction[node]] : Math.max(stats[2], 0);
}

// A value of a column as text.
export function valueText(index: number, value: number | null | undefined): string {
  if (value === null || value === undefined) return "missing";
  const column = report.columns[index];
  return column.kind === "numeric" ? number(value, 6) : column.levels[value] ?? "unseen level";
}

// The colors of classes follow the theme: they are variables of the page.
export const classColor = (k: number): string => (k < 0 ? "var(--ghost)" : `var(--class-${k})`);
export const NUMBER_COLOR = "var(--number)";

export function linkCondition(node: number): string {
  const above = parent[node];
  return above < 0 ? "all rows" : condition(nodes.question[above], node - nodes.first[above]);
}

export function pathTo(node: number): number[] {
  const out = [];
  for (let at = node; at >= 0; at = parent[at]) out.push(at);
  return out.reverse();
}
