// The tree as rules, and as a questionnaire.
import { useSignal } from "@preact/signals";
import { outcomesOf, childrenOf, condition, countText, truncate, report, nodes, number, parent, percent, predictionText, probabilities, title } from "./values";
import { isLeaf, kept, leaves, reveal } from "./state";

// The conditions on the path to a node; those on one column are merged.
export function conditions(node: number): string[] {
  const bounds = new Map<number, { low: number | null; high: number | null; other: string | null }>();
  const rest: string[] = [];
  const path: number[] = [];
  for (let at = node; parent[at] >= 0; at = parent[at]) path.push(at);
  for (const at of path.reverse()) {
    const row = nodes.question[parent[at]];
    const question = report.questions[row];
    const branch = at - nodes.first[parent[at]];
    if (question.title !== null || question.column < 0) {
      rest.push(condition(row, branch));
      continue;
    }
    const bound = bounds.get(question.column) ?? { low: null, high: null, other: null };
    bounds.set(question.column, bound);
    const isNumber = report.columns[question.column].kind === "numeric";
    if (question.encoding === 0 && isNumber && question.reals.length) {
      const low = question.reals[branch - 1], high = question.reals[branch];
      if (low !== undefined) bound.low = bound.low === null ? low : Math.max(bound.low, low);
      if (high !== undefined) bound.high = bound.high === null ? high : Math.min(bound.high, high);
    } else {
      bound.other = condition(row, branch); // deeper sets are subsets of those above
    }
  }
  const merged = [...bounds].flatMap(([column, { low, high, other }]) => {
    const name = report.columns[column].name;
    const range =
      low !== null && high !== null ? `${number(low, 6)} < ${name} ≤ ${number(high, 6)}`
      : low !== null ? `${name} > ${number(low, 6)}`
      : high !== null ? `${name} ≤ ${number(high, 6)}`
      : null;
    return [range, other].filter((each): each is string => each !== null);
  });
  return [...merged, ...rest];
}

export function Rules() {
  const most = useSignal(30);
  const ordered = [...leaves.value].sort((a, b) => nodes.rows[b] - nodes.rows[a]);
  return (
    <>
      <ol class="rules">
        {ordered.slice(0, most.value).map((leaf) => (
          <li key={leaf}>
            <span>If {conditions(leaf).map((each, i) => <>{i > 0 && <b> and </b>}{truncate(each, 160)}</>)}{leaf === 0 && "any row"}: </span>
            <button class="link-button strong" onClick={() => { reveal(leaf); document.getElementById("tree")?.scrollIntoView(); }}>{truncate(predictionText(leaf), 60)}</button>
            <span class="quiet">{` (${countText(nodes.rows[leaf], "row")})`}</span>
          </li>
        ))}
      </ol>
      {ordered.length > most.value && (
        <button onClick={() => (most.value += 200)}>{`more of the ${ordered.length.toLocaleString("en")} rules`}</button>
      )}
    </>
  );
}

const MAX_QUESTIONS = 80;
const MAX_SURROGATES = 5;

// The surrogates for a missing value, in the order of the tree, so that questionnaire and tree agree.
function Surrogates({ node }: { node: number }) {
  const surrogates = (nodes.surrogates[node] ?? []).slice(0, MAX_SURROGATES);
  if (!surrogates.length) return null;
  const [first, second] = outcomesOf(nodes.question[node]);
  const texts = surrogates.map(([question, isFlipped]) => `“${truncate(first, 40)}” if ${truncate(condition(question, isFlipped), 100)}, else “${truncate(second, 40)}”`);
  return <p class="hint surrogates">{`If missing: ${texts.join("; if that is missing too, ")}.`}</p>;
}

// Numbered questions with boxes to tick; each outcome leads to a question or to a prediction.
export function Questionnaire() {
  const inner = kept.value.filter((node) => !isLeaf.value(node));
  const order = inOrder(inner);
  const shown = order.slice(0, MAX_QUESTIONS);
  const numbers = new Map(shown.map((node, i) => [node, i + 1]));
  const end = (node: number) => {
    const fraction = report.is_class ? `${percent(probabilities(node)[nodes.prediction[node]])} of ${countText(nodes.rows[node], "row")}` : countText(nodes.rows[node], "row");
    return <><b>{truncate(report.is_class ? report.classes[nodes.prediction[node]] : number(nodes.prediction[node], 5), 60)}</b> <span class="quiet">{`(${fraction})`}</span></>;
  };
  if (!shown.length) return <p>The tree has no question: the prediction is always {end(0)}.</p>;
  return (
    <>
      {order.length > shown.length && <p class="hint">{`The first ${shown.length} of ${order.length.toLocaleString("en")} questions; prune the tree for a shorter questionnaire.`}</p>}
      <ol class="questions">
        {shown.map((node) => (
          <li key={node} id={`q${numbers.get(node)}`}>
            <h4>{`${numbers.get(node)}. ${truncate(title(node), 160)}`}</h4>
            <ul>
              {childrenOf(node).slice(0, 40).map((child, b) => (
                <li key={child}>
                  <span class="tick" aria-hidden="true">☐</span>
                  <span class="option">{truncate(outcomesOf(nodes.question[node])[b], 120)}{nodes.missing_branch[node] === b && <span class="quiet">{nodes.surrogates[node]?.length ? " (or all missing)" : " (or missing)"}</span>}</span>
                  <span class="leads">{"→ "}{isLeaf.value(child) ? end(child) : numbers.has(child) ? <a href={`#q${numbers.get(child)}`}>{`question ${numbers.get(child)}`}</a> : <>prediction {end(child)}</>}</span>
                </li>
              ))}
            </ul>
            <Surrogates node={node} />
          </li>
        ))}
      </ol>
    </>
  );
}

function inOrder(inner: number[]): number[] {
  const isInner = new Set(inner);
  const out: number[] = [];
  const waiting = inner.length ? [0] : [];
  while (waiting.length && out.length <= MAX_QUESTIONS) {
    const node = waiting.pop()!;
    out.push(node);
    waiting.push(...childrenOf(node).filter((child) => isInner.has(child)).reverse());
  }
  return out.length > MAX_QUESTIONS ? [...out, ...new Array(Math.max(0, inner.length - out.length)).fill(-1)] : out;
}
