// The tree as rules, and as questions on paper.
import { useSignal } from "@preact/signals";
import { answersOf, childrenOf, condition, counted, cut, facts, nodes, number, parent, percent, says, shares, title } from "./facts";
import { isLeaf, kept, leaves, reveal } from "./state";

// The conditions on the way to a node; those on one column are drawn together.
export function conditions(node: number): string[] {
  const bounds = new Map<number, { low: number | null; high: number | null; other: string | null }>();
  const rest: string[] = [];
  const way: number[] = [];
  for (let at = node; parent[at] >= 0; at = parent[at]) way.push(at);
  for (const at of way.reverse()) {
    const row = nodes.question[parent[at]];
    const question = facts.questions[row];
    const branch = at - nodes.first[parent[at]];
    if (question.title !== null || question.column < 0) {
      rest.push(condition(row, branch));
      continue;
    }
    const bound = bounds.get(question.column) ?? { low: null, high: null, other: null };
    bounds.set(question.column, bound);
    const isNumber = facts.columns[question.column].kind === "numeric";
    if (question.encoding === 0 && isNumber && question.reals.length) {
      const low = question.reals[branch - 1], high = question.reals[branch];
      if (low !== undefined) bound.low = bound.low === null ? low : Math.max(bound.low, low);
      if (high !== undefined) bound.high = bound.high === null ? high : Math.min(bound.high, high);
    } else {
      bound.other = condition(row, branch); // deeper sets lie inside those above
    }
  }
  const told = [...bounds].flatMap(([column, { low, high, other }]) => {
    const name = facts.columns[column].name;
    const range =
      low !== null && high !== null ? `${number(low, 6)} < ${name} ≤ ${number(high, 6)}`
      : low !== null ? `${name} > ${number(low, 6)}`
      : high !== null ? `${name} ≤ ${number(high, 6)}`
      : null;
    return [range, other].filter((each): each is string => each !== null);
  });
  return [...told, ...rest];
}

export function Rules() {
  const most = useSignal(30);
  const ordered = [...leaves.value].sort((a, b) => nodes.rows[b] - nodes.rows[a]);
  return (
    <>
      <ol class="rules">
        {ordered.slice(0, most.value).map((leaf) => (
          <li key={leaf}>
            <span>If {conditions(leaf).map((each, i) => <>{i > 0 && <b> and </b>}{cut(each, 160)}</>)}{leaf === 0 && "anything"}: </span>
            <button class="plain strong" onClick={() => { reveal(leaf); document.getElementById("tree")?.scrollIntoView(); }}>{cut(says(leaf), 60)}</button>
            <span class="quiet">{` (${counted(nodes.rows[leaf], "row")})`}</span>
          </li>
        ))}
      </ol>
      {ordered.length > most.value && (
        <button onClick={() => (most.value += 200)}>{`more of the ${ordered.length.toLocaleString("en")} rules`}</button>
      )}
    </>
  );
}

const MOST_QUESTIONS = 80;
const MOST_SUBSTITUTES = 5;

// What is asked where an answer is not known, in the order the tree asks it: so paper and tree agree.
function Substitutes({ node }: { node: number }) {
  const instead = (nodes.surrogates[node] ?? []).slice(0, MOST_SUBSTITUTES);
  if (!instead.length) return null;
  const [first, second] = answersOf(nodes.question[node]);
  const told = instead.map(([question, isFlipped]) => `“${cut(first, 40)}” if ${cut(condition(question, isFlipped), 100)}, else “${cut(second, 40)}”`);
  return <p class="hint substitutes">{`Not known? Take ${told.join("; if that is not known either, ")}.`}</p>;
}

// Numbered questions with boxes to tick; each answer leads on to a question or ends with what to say.
export function Questionnaire() {
  const inner = kept.value.filter((node) => !isLeaf.value(node));
  const order = inOrder(inner);
  const shown = order.slice(0, MOST_QUESTIONS);
  const numbers = new Map(shown.map((node, i) => [node, i + 1]));
  const end = (node: number) => {
    const share = facts.is_class ? `${percent(shares(node)[nodes.answer[node]])} of ${counted(nodes.rows[node], "row")}` : counted(nodes.rows[node], "row");
    return <><b>{cut(facts.is_class ? facts.classes[nodes.answer[node]] : number(nodes.answer[node], 5), 60)}</b> <span class="quiet">{`(${share})`}</span></>;
  };
  if (!shown.length) return <p>The tree asks nothing: the answer is always {end(0)}.</p>;
  return (
    <>
      {order.length > shown.length && <p class="hint">{`The first ${shown.length} of ${order.length.toLocaleString("en")} questions; prune the tree for a shorter paper.`}</p>}
      <ol class="questions">
        {shown.map((node) => (
          <li key={node} id={`q${numbers.get(node)}`}>
            <h4>{`${numbers.get(node)}. ${cut(title(node), 160)}`}</h4>
            <ul>
              {childrenOf(node).slice(0, 40).map((child, b) => (
                <li key={child}>
                  <span class="tick" aria-hidden="true">☐</span>
                  <span class="option">{cut(answersOf(nodes.question[node])[b], 120)}{nodes.missing[node] === b && <span class="quiet">{nodes.surrogates[node]?.length ? " (or nothing known)" : " (or not known)"}</span>}</span>
                  <span class="leads">{"→ "}{isLeaf.value(child) ? end(child) : numbers.has(child) ? <a href={`#q${numbers.get(child)}`}>{`question ${numbers.get(child)}`}</a> : <>mostly {end(child)}</>}</span>
                </li>
              ))}
            </ul>
            <Substitutes node={node} />
          </li>
        ))}
      </ol>
    </>
  );
}

function inOrder(inner: number[]): number[] {
  const asked = new Set(inner);
  const out: number[] = [];
  const waiting = inner.length ? [0] : [];
  while (waiting.length && out.length <= MOST_QUESTIONS) {
    const node = waiting.pop()!;
    out.push(node);
    waiting.push(...childrenOf(node).filter((child) => asked.has(child)).reverse());
  }
  return out.length > MOST_QUESTIONS ? [...out, ...new Array(Math.max(0, inner.length - out.length)).fill(-1)] : out;
}
