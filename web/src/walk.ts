// Where does a row end?  The same walk as in Python: questions, surrogates, then the branch for what is unknown.
import { childrenOf, facts, nodes, shares, weight as weightOf } from "./facts";

export type Row = (number | null)[];
const UNKNOWN = -1;
const UNSEEN = -2;
const SHARE = -2;

export interface Walked {
  path: number[];
  steps: string[];
  values: number[]; // class shares, or one number
}

export function branchOf(row: number, values: Row): number {
  const question = facts.questions[row];
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
      // What stands in for missing values, if anything does, follows the bound.
      const fill = question.reals.slice(question.whole.length + 1);
      const known: (number | null)[] = question.whole.map((column, i) => at(column) ?? fill[i] ?? null);
      if (known.includes(null)) return UNKNOWN;
      const total = known.reduce<number>((sum, value, i) => sum + question.reals[i] * value!, 0);
      return total <= question.reals[question.whole.length] ? 0 : 1;
    }
    case 3: {
      const fill = question.reals.slice(2 * question.whole.length + 1);
      const known: (number | null)[] = question.whole.map((column, i) => at(column) ?? fill[i] ?? null);
      if (known.includes(null)) return UNKNOWN;
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
  let unsure = 0;
  for (let i = 1; i < whole.length; i += 2) {
    const found = branchOf(whole[i], values);
    if (found < 0) {
      unsure = found === UNSEEN ? UNSEEN : Math.min(unsure, UNKNOWN);
    } else if ((whole[i + 1] ? 1 - found : found) === decisive) {
      return decisive;
    }
  }
  return unsure < 0 ? unsure : 1 - decisive;
}

function heaviest(node: number): number {
  const weights = childrenOf(node).map(weightOf);
  return weights.indexOf(Math.max(...weights));
}

// The branch a row takes at an inner node, and how it was found; null when it goes no further.
function taken(node: number, values: Row): { branch: number | null; how: string } {
  const found = branchOf(nodes.question[node], values);
  if (found >= 0) return { branch: found, how: "" };
  if (found === UNSEEN && facts.unseen === "majority") return { branch: heaviest(node), how: "a level never met: the larger branch" };
  if (found === UNSEEN && facts.unseen !== "as_missing") return { branch: null, how: "a level never met: stays here" };
  for (const [question, isFlipped] of nodes.surrogates[node] ?? []) {
    const second = branchOf(question, values);
    if (second >= 0) return { branch: isFlipped ? 1 - second : second, how: "unknown: by a surrogate" };
  }
  if (nodes.missing[node] >= 0) return { branch: nodes.missing[node], how: "unknown: the branch for unknown values" };
  return { branch: null, how: nodes.missing[node] === SHARE ? "unknown: shared out over the branches" : "unknown: stays here" };
}

export function walked(values: Row, isLeaf: (node: number) => boolean): Walked {
  const path = [0];
  const steps: string[] = [];
  let node = 0;
  while (!isLeaf(node)) {
    const { branch, how } = taken(node, values);
    steps.push(how);
    if (branch === null) {
      if (nodes.missing[node] === SHARE && how.startsWith("unknown: shared")) return { path, steps, values: mixed(node, values, isLeaf) };
      break;
    }
    node = nodes.first[node] + branch;
    path.push(node);
  }
  return { path, steps, values: told(node) };
}

function told(node: number): number[] {
  return facts.is_class ? shares(node) : [nodes.answer[node]];
}

function mixed(start: number, values: Row, isLeaf: (node: number) => boolean): number[] {
  const sum = told(start).map(() => 0);
  const waiting: [number, number][] = [[start, 1]];
  while (waiting.length) {
    const [node, weight] = waiting.pop()!;
    const next = isLeaf(node) ? null : taken(node, values);
    if (next === null || (next.branch === null && nodes.missing[node] !== SHARE)) {
      told(node).forEach((value, k) => (sum[k] += weight * value));
    } else if (next.branch !== null) {
      waiting.push([nodes.first[node] + next.branch, weight]);
    } else {
      const below = childrenOf(node);
      const total = below.reduce((all, child) => all + weightOf(child), 0) || 1;
      below.forEach((child) => waiting.push([child, (weight * weightOf(child)) / total]));
    }
  }
  return sum;
}
