// The conditions of rules and the outcomes of questions, with every level: long lists open on request and in print.
import { useSignal } from "@preact/signals";
import { number } from "../shared/text";
import { condition, nodes, outcomeParts, parent, report } from "./values";

const SHOWN = 12;

export interface Condition {
  text: string; // "age ≤ 3", or the name of the column with levels
  levels: string[];
}

// The levels of a branch; those of the other branches after "any except" if that is shorter.
export function levelsOf(row: number, at: number): string[] {
  const question = report.questions[row];
  return question.encoding === 1 && !question.outcomes.length ? outcomeParts(row, at) : [];
}

export function conditionAt(row: number, at: number): Condition {
  const question = report.questions[row];
  const levels = levelsOf(row, at);
  if (!levels.length || question.title !== null) return { text: condition(row, at), levels: [] };
  return { text: report.columns[question.column].name, levels };
}

// The conditions on the path to a node; those on one column are merged.
export function conditions(node: number): Condition[] {
  const bounds = new Map<number, { low: number | null; high: number | null; other: Condition | null }>();
  const rest: Condition[] = [];
  const path: number[] = [];
  for (let at = node; parent[at] >= 0; at = parent[at]) path.push(at);
  for (const at of path.reverse()) {
    const row = nodes.question[parent[at]];
    const question = report.questions[row];
    const branch = at - nodes.first[parent[at]];
    if (question.title !== null || question.column < 0) {
      rest.push(conditionAt(row, branch));
      continue;
    }
    const bound = bounds.get(question.column) ?? { low: null, high: null, other: null };
    bounds.set(question.column, bound);
    const isNumber = report.columns[question.column].kind === "numeric";
    if (question.encoding === 0 && isNumber && question.reals.length && branch <= question.reals.length) {
      const low = question.reals[branch - 1], high = question.reals[branch];
      if (low !== undefined) bound.low = bound.low === null ? low : Math.max(bound.low, low);
      if (high !== undefined) bound.high = bound.high === null ? high : Math.min(bound.high, high);
    } else {
      bound.other = conditionAt(row, branch); // deeper sets are subsets of those above
    }
  }
  const merged = [...bounds].flatMap(([column, { low, high, other }]) => {
    const name = report.columns[column].name;
    const range =
      low !== null && high !== null ? `${number(low, 6)} < ${name} ≤ ${number(high, 6)}`
      : low !== null ? `${name} > ${number(low, 6)}`
      : high !== null ? `${name} ≤ ${number(high, 6)}`
      : null;
    return [...(range ? [{ text: range, levels: [] }] : []), ...(other ? [other] : [])];
  });
  return [...merged, ...rest];
}

// A list of levels: the first ones, and a button with the number of the others.
export function Levels({ levels }: { levels: string[] }) {
  const isOpen = useSignal(false);
  if (levels.length <= SHOWN + 2) return <>{levels.join(", ")}</>;
  return (
    <>
      {levels.slice(0, SHOWN).join(", ")}
      <span class={isOpen.value ? "" : "print-only"}>{`, ${levels.slice(SHOWN).join(", ")}`}</span>{" "}
      <button class="link-button no-print" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>{isOpen.value ? "fewer" : `and ${levels.length - SHOWN} more`}</button>
    </>
  );
}

export function ConditionText({ each }: { each: Condition }) {
  if (!each.levels.length) return <>{each.text}</>;
  return <>{each.text} {each.levels.length > 1 ? "is one of " : "is "}<Levels levels={each.levels} /></>;
}
