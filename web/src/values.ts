// The values of the report: the JSON block that Python wrote, and functions of them.

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
  outcomes: string[];
}

export interface NodeValues {
  first: number[];
  count: number[];
  question: number[];
  missing_branch: number[];
  rows: number[];
  stats: number[][];
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
  colors: string[];
  number_color: string;
  unseen: string;
  columns: ColumnValues[];
  data: { heading: string; rows: string[][]; notes: string[] } | null;
  nodes: NodeValues;
  reasons: string[];
  questions: QuestionValues[];
  alphas: { alphas: number[]; leaves: number[]; text: string };
  rows: RowValues;
  scores: { heading: string; tables: { caption: string; head: string[]; rows: string[][] }[]; reasons: string[] } | null;
  roc: RocValues[];
  importances: [string, number][];
  diagnostics: string[];
  rerun: { title: string; code: string }[];
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
export const deepest = depth.reduce((a, b) => Math.max(a, b), 0);

export function childrenOf(node: number): number[] {
  return Array.from({ length: nodes.count[node] }, (_, b) => nodes.first[node] + b);
}

export function title(node: number): string {
  const question = report.questions[nodes.question[node]];
  return question.title ?? report.columns[question.column].name;
}

export function outcomesOf(row: number): string[] {
  const question = report.questions[row];
  if (question.outcomes.length) return question.outcomes;
  const cut = number(question.reals[0], 6);
  return [`≤ ${cut}`, `> ${cut}`];
}

// The same with few digits: four, and one after the decimal point.
export function briefOutcomesOf(row: number): string[] {
  const question = report.questions[row];
  if (question.outcomes.length) return question.outcomes;
  const whole = Math.max(Math.floor(Math.log10(Math.abs(question.reals[0]) || 1)) + 1, 0);
  const cut = number(question.reals[0], Math.min(Math.max(4, whole + 1), 15));
  return [`≤ ${cut}`, `> ${cut}`];
}

// The condition that a row satisfies if it takes a branch of a question.
export function condition(row: number, at: number): string {
  const question = report.questions[row];
  const outcome = outcomesOf(row)[at];
  if (question.title === null) return `${report.columns[question.column].name}${/^[≤>]/.test(outcome) ? " " : ": "}${outcome}`;
  return `${question.title} ${outcome}`;
}

export function probabilities(node: number): number[] {
  const stats = nodes.stats[node];
  const total = stats.reduce((a, b) => a + b, 0);
  if (!(total > 0)) return stats.map((_, k) => (k === nodes.prediction[node] ? 1 : 0));
  return stats.map((weight) => weight / total);
}

export function prediction(node: number): string {
  return report.is_class ? report.classes[nodes.prediction[node]] : number(nodes.prediction[node], 4);
}

export function predictionText(node: number): string {
  if (!report.is_class) return `${number(nodes.prediction[node], 4)} ± ${number(deviation(node), 3)}`;
  return `${prediction(node)} ${percent(probabilities(node)[nodes.prediction[node]])}`;
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

export function number(value: number, digits = 4): string {
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

export function percent(fraction: number): string {
  if (fraction > 0 && fraction < 0.005) return "<1%";
  if (fraction >= 0.995 && fraction < 1) return ">99%";
  return `${Math.round(100 * fraction)}%`;
}

export function countText(count: number, noun: string, many = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : many}`;
}

export function truncate(text: string, most: number): string {
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
