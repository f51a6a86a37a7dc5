// The tree as a questionnaire for paper: each question with its outcomes and where they lead.
import { useSignal } from "@preact/signals";
import { Levels, levelsOf } from "./conditions";
import { childrenOf, condition, nodes, outcomeText, prediction, predictionText, classFractions, report, rowsText, title, isHidden } from "./values";
import { count, percent } from "../shared/text";
import { drawn } from "./printing";
import { settled } from "./state";

const FIRST = 60;
const MORE = 200;
const MAX_SURROGATES = 5;

// The surrogates for a missing value, in the order of the tree, so that questionnaire and tree agree.
function Surrogates({ node }: { node: number }) {
  const surrogates = (nodes.surrogates[node] ?? []).slice(0, MAX_SURROGATES);
  if (!surrogates.length) return null;
  const row = nodes.question[node];
  const name = (at: number) => (levelsOf(row, at).length > 3 ? `box ${at + 1}` : `“${outcomeText(row, at)}”`);
  const texts = surrogates.map(([question, isFlipped]) => `${name(0)} if ${condition(question, isFlipped)}, else ${name(1)}`);
  return <p class="hint surrogates">{`If missing: ${texts.join("; if that is missing too, ")}.`}</p>;
}

function End({ node }: { node: number }) {
  const share = report.is_class && !isHidden(node) ? `${percent(classFractions(node)[nodes.prediction[node]])} of ` : "";
  return <><b>{report.is_class ? prediction(node) : predictionText(node)}</b> <span class="quiet">{`(${share}${rowsText(node)})`}</span></>;
}

// The inner nodes in depth-first order.
function inOrder(isLeaf: (node: number) => boolean): number[] {
  const out: number[] = [];
  const waiting = isLeaf(0) ? [] : [0];
  while (waiting.length) {
    const node = waiting.pop()!;
    out.push(node);
    waiting.push(...childrenOf(node).filter((child) => !isLeaf(child)).reverse());
  }
  return out;
}

export function Questionnaire() {
  const most = useSignal(FIRST);
  const { isLeaf } = settled.value;
  const order = inOrder(isLeaf);
  const numbers = new Map(order.map((node, index) => [node, index + 1]));
  if (!order.length) return <p>The tree has no question: the prediction is always <End node={0} />.</p>;
  const n = drawn(most.value);
  return (
    <>
      <ol class="questions">
        {order.slice(0, n).map((node) => (
          <li key={node} id={`q${numbers.get(node)}`}>
            <h4>{`${numbers.get(node)}. ${title(node)}`}</h4>
            <ul>
              {childrenOf(node).map((child, b) => (
                <li key={child}>
                  <span class="tick" aria-hidden="true" />
                  <span class="option">
                    <Outcome row={nodes.question[node]} at={b} />
                    {nodes.missing_branch[node] === b && <span class="quiet">{nodes.surrogates[node]?.length ? " (or all missing)" : " (or missing)"}</span>}
                  </span>
                  <span class="leads">{"→ "}{isLeaf(child) ? <End node={child} /> : <a href={`#q${numbers.get(child)}`} onClick={() => (most.value = Math.max(most.value, numbers.get(child)!))}>{`question ${count(numbers.get(child)!)}`}</a>}</span>
                </li>
              ))}
            </ul>
            <Surrogates node={node} />
          </li>
        ))}
      </ol>
      {order.length > n && <p class="print-only">{`The first ${count(n)} of ${count(order.length)} questions.`}</p>}
      {order.length > n && <button onClick={() => (most.value += MORE)}>{`more of the ${count(order.length)} questions`}</button>}
    </>
  );
}

function Outcome({ row, at }: { row: number; at: number }) {
  const levels = levelsOf(row, at);
  return levels.length ? <Levels levels={levels} /> : <>{outcomeText(row, at)}</>;
}

