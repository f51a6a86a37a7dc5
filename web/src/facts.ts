// What the page knows: the facts that Python wrote into the JSON block, and small readings of them.

export interface ColumnFacts {
  name: string;
  kind: "numeric" | "ordinal" | "nominal";
  levels: string[];
  low: number | null;
  high: number | null;
  typical: number | null;
  is_used: boolean;
}

export interface QuestionFacts {
  encoding: number; // 0 cuts, 1 map, 2 plane, 3 ball, 4 combined
  column: number;
  first: number;
  missing: number;
  whole: number[];
  reals: number[];
  title: string | null; // null: the column's name
  answers: string[];
}

export interface NodeFacts {
  first: number[];
  count: number[];
  question: number[];
  missing: number[];
  rows: number[];
  stats: number[][];
  answer: number[];
  impurity: number[];
  gain: number[];
  reason: number[];
  hidden: Record<string, number>;
  surrogates: Record<string, [number, number, number][]>; // question, flipped, agreement
  competitors: Record<string, [number, number | null][]>; // question, gain
  collapse: (number | null)[];
  test: { rows: number[]; loss: number[]; ended: number[] } | null;
}

// Rows that travel with the page: fresh ones first, then training rows; values of some columns only.
export interface RowFacts {
  columns: number[];
  fresh: number;
  held: [number, number];
  all: [number, number];
  row: number[];
  truth: string[];
  end: number[];
  values: (number | null)[][];
}

export interface RocFacts {
  label: string;
  thresholds: (number | null)[];
  false_rates: number[];
  true_rates: number[];
  positives: number;
  negatives: number;
  area: string;
  is_positive: boolean; // the class that the figures are about
}

export interface Facts {
  title: string;
  summary: string;
  target: string;
  is_class: boolean;
  classes: string[];
  colours: string[];
  number_colour: string;
  unseen: string;
  columns: ColumnFacts[];
  data: { heading: string; rows: string[][]; notes: string[] } | null;
  nodes: NodeFacts;
  reasons: string[];
  questions: QuestionFacts[];
  alphas: { alphas: number[]; leaves: number[]; risks: number[]; words: string };
  rows: RowFacts;
  scores: { heading: string; tables: { caption: string; head: string[]; rows: string[][] }[]; reasons: string[] } | null;
  roc: RocFacts[];
  importances: [string, number][];
  cautions: string[];
  rerun: { words: string; text: string }[];
}

type Written = null | [number, number, number, number, number[], number[], string | null, string[]];

function read(): Facts {
  const told = JSON.parse(document.getElementById("facts")!.textContent!);
  const questions = (told.questions as Written[]).map((written): QuestionFacts => {
    // A question that nothing on the page asks is not written out.
    const [encoding, column, first, missing, whole, reals, title, answers] = written ?? [0, -1, 0, -1, [], [], null, []];
    return { encoding, column, first, missing, whole, reals, title, answers };
  });
  return { ...told, questions };
}

export const facts = read();
export const nodes = facts.nodes;
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
  const question = facts.questions[nodes.question[node]];
  return question.title ?? facts.columns[question.column].name;
}

export function answersOf(row: number): string[] {
  const question = facts.questions[row];
  if (question.answers.length) return question.answers;
  const cut = number(question.reals[0], 6);
  return [`≤ ${cut}`, `> ${cut}`];
}

// The same with as few digits as tell: four, and one behind the point.
export function briefAnswersOf(row: number): string[] {
  const question = facts.questions[row];
  if (question.answers.length) return question.answers;
  const whole = Math.max(Math.floor(Math.log10(Math.abs(question.reals[0]) || 1)) + 1, 0);
  const cut = number(question.reals[0], Math.min(Math.max(4, whole + 1), 15));
  return [`≤ ${cut}`, `> ${cut}`];
}

// What holds for a row that takes a branch of a question.
export function condition(row: number, at: number): string {
  const question = facts.questions[row];
  const answer = answersOf(row)[at];
  if (question.title === null) return `${facts.columns[question.column].name}${/^[≤>]/.test(answer) ? " " : ": "}${answer}`;
  return `${question.title} ${answer}`;
}

export function shares(node: number): number[] {
  const stats = nodes.stats[node];
  const total = stats.reduce((a, b) => a + b, 0);
  if (!(total > 0)) return stats.map((_, k) => (k === nodes.answer[node] ? 1 : 0));
  return stats.map((weight) => weight / total);
}

export function answer(node: number): string {
  return facts.is_class ? facts.classes[nodes.answer[node]] : number(nodes.answer[node], 4);
}

export function says(node: number): string {
  if (!facts.is_class) return `${number(nodes.answer[node], 4)} ± ${number(deviation(node), 3)}`;
  return `${answer(node)} ${percent(shares(node)[nodes.answer[node]])}`;
}

export function deviation(node: number): number {
  const [weight, , squares] = nodes.stats[node];
  return weight > 0 ? Math.sqrt(Math.max(squares, 0) / weight) : 0;
}

// The training weight of a node.
export function weight(node: number): number {
  const stats = nodes.stats[node];
  return facts.is_class ? stats.reduce((a, b) => a + b, 0) : stats[0];
}

// The training loss of a node as a leaf: wrong weight, or the sum of squares.
export function loss(node: number): number {
  const stats = nodes.stats[node];
  return facts.is_class ? weight(node) - stats[nodes.answer[node]] : Math.max(stats[2], 0);
}

// A value of a column in words.
export function valueText(place: number, value: number | null | undefined): string {
  if (value === null || value === undefined) return "unknown";
  const column = facts.columns[place];
  return column.kind === "numeric" ? number(value, 6) : column.levels[value] ?? "another level";
}

export function number(value: number, digits = 4): string {
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

export function percent(share: number): string {
  if (share > 0 && share < 0.005) return "<1%";
  if (share >= 0.995 && share < 1) return ">99%";
  return `${Math.round(100 * share)}%`;
}

export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : many}`;
}

export function cut(text: string, most: number): string {
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
