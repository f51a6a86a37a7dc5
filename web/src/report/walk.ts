// Routes a row through the tree as tree/reference_walk.py does: questions, surrogates, then the branch of missing values.
import { childrenOf, nodes, probabilities, report, weight as weightOf } from "./values";

export type Row = (number | null)[];
const MISSING = -1;
const UNSEEN = -2;
const FRACTIONAL = -2;
const MIN_FRACTION = 1e-6; // smaller parts of a row are dropped and the rest is scaled up

// How the branch of a row was found at a node.
export type Routing = "outcome" | "unseen_majority" | "unseen_stay" | "surrogate" | "missing_branch" | "missing_stay" | "fractional";

export const ROUTING_TEXT: Record<Routing, string> = {
  outcome: "",
  unseen_majority: "unseen level: majority branch",
  unseen_stay: "unseen level: stays here",
  surrogate: "missing: by a surrogate",
  missing_branch: "missing: branch of missing values",
  missing_stay: "missing: stays here",
  fractional: "missing: fractional, all branches",
};

interface Step {
  branch: number | null; // null: the row goes no further, or down all branches
  routing: Routing;
}

export interface Walk {
  path: number[];
  steps: Routing[];
  values: number[]; // class probabilities, or one number
}

export function branchOf(row: number, values: Row): number {
  const question = report.questions[row];
  const at = (column: number) => values[column] ?? null;
  switch (question.encoding) {
    case 0: {
      const value = at(question.column);
      if (value === null) return question.missing;
      return question.first + question.reals.filter((bound) => bound < value).length;
    }
    case 1: {
      const value = at(question.column);
      if (value === null) return question.missing;
      const branch = question.whole[value];
      return branch === undefined || branch < 0 ? UNSEEN : branch;
    }
    case 2: {
      // The values that missing values are imputed with, if any, follow the bound.
      const fill = question.reals.slice(question.whole.length + 1);
      const known: (number | null)[] = question.whole.map((column, i) => at(column) ?? fill[i] ?? null);
      if (known.includes(null)) return MISSING;
      const total = known.reduce<number>((sum, value, i) => sum + question.reals[i] * value!, 0);
      return total <= question.reals[question.whole.length] ? 0 : 1;
    }
    case 3: {
      const fill = question.reals.slice(2 * question.whole.length + 1);
      const known: (number | null)[] = question.whole.map((column, i) => at(column) ?? fill[i] ?? null);
      if (known.includes(null)) return MISSING;
      const n = known.length;
      const total = known.reduce<number>(
        (sum, value, i) => sum + ((value! - question.reals[i]) / question.reals[n + i]) ** 2,
        0,
      );
      return total <= question.reals[2 * n] ? 0 : 1;
    }
    default:
      return combined(question.whole, values);
  }
}

function combined(whole: number[], values: Row): number {
  const decisive = whole[0] ? 0 : 1;
  let undefinedOutcome = 0;
  for (let i = 1; i < whole.length; i += 2) {
    const found = branchOf(whole[i], values);
    if (found < 0) {
      undefinedOutcome = found === UNSEEN ? UNSEEN : Math.min(undefinedOutcome, MISSING);
    } else if ((whole[i + 1] ? 1 - found : found) === decisive) {
      return decisive;
    }
  }
  return undefinedOutcome < 0 ? undefinedOutcome : 1 - decisive;
}

function majorityBranch(node: number): number {
  const weights = childrenOf(node).map(weightOf);
  return weights.indexOf(Math.max(...weights));
}

// The branch that a row takes at an inner node, and how it was found.
function stepAt(node: number, values: Row): Step {
  const found = branchOf(nodes.question[node], values);
  if (found >= 0) return { branch: found, routing: "outcome" };
  if (found === UNSEEN && report.unseen === "majority") return { branch: majorityBranch(node), routing: "unseen_majority" };
  if (found === UNSEEN && report.unseen !== "as_missing") return { branch: null, routing: "unseen_stay" };
  for (const [question, isFlipped] of nodes.surrogates[node] ?? []) {
    const second = branchOf(question, values);
    if (second >= 0) return { branch: isFlipped ? 1 - second : second, routing: "surrogate" };
  }
  const missing = nodes.missing_branch[node];
  if (missing >= 0) return { branch: missing, routing: "missing_branch" };
  return { branch: null, routing: missing === FRACTIONAL ? "fractional" : "missing_stay" };
}

export function walk(values: Row, isLeaf: (node: number) => boolean): Walk {
  const path = [0];
  const steps: Routing[] = [];
  let node = 0;
  while (!isLeaf(node)) {
    const { branch, routing } = stepAt(node, values);
    steps.push(routing);
    if (routing === "fractional") return { path, steps, values: mixture(node, values, isLeaf) };
    if (branch === null) break;
    node = nodes.first[node] + branch;
    path.push(node);
  }
  return { path, steps, values: nodeValues(node) };
}

function nodeValues(node: number): number[] {
  return report.is_class ? probabilities(node) : [nodes.prediction[node]];
}

// The weighted mean of the nodes where the parts of a fractional row end; parts below MIN_FRACTION are dropped.
function mixture(start: number, values: Row, isLeaf: (node: number) => boolean): number[] {
  const ends: [number, number][] = [];
  const waiting: [number, number][] = [[start, 1]];
  while (waiting.length) {
    const [node, fraction] = waiting.pop()!;
    const step = isLeaf(node) ? null : stepAt(node, values);
    if (step !== null && step.branch !== null) {
      waiting.push([nodes.first[node] + step.branch, fraction]);
      continue;
    }
    const parts = step?.routing === "fractional" ? partsBelow(node, fraction) : [];
    if (parts.length) waiting.push(...parts);
    else ends.push([node, fraction]);
  }
  ends.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const total = ends.reduce((sum, [, fraction]) => sum + fraction, 0);
  return nodeValues(start).map((_, k) => ends.reduce((sum, [node, fraction]) => sum + fraction * nodeValues(node)[k], 0) / total);
}

function partsBelow(node: number, fraction: number): [number, number][] {
  const children = childrenOf(node);
  const total = children.reduce((sum, child) => sum + weightOf(child), 0);
  if (!(total > 0)) return [];
  return children.map((child): [number, number] => [child, fraction * (weightOf(child) / total)]).filter(([, part]) => part >= MIN_FRACTION);
}
