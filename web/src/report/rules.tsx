// The tree as rules, largest leaves first.
import { useSignal } from "@preact/signals";
import { BarChart } from "../shared/charts";
import { count } from "../shared/text";
import { ConditionText, conditions } from "./conditions";
import { drawn } from "./printing";
import { barOf } from "./source";
import { nodes, predictionText, rowsText } from "./values";
import { reveal, settled } from "./state";

export function Rules() {
  const most = useSignal(30);
  const ordered = [...settled.value.leaves].sort((a, b) => nodes.rows[b] - nodes.rows[a]);
  const n = drawn(most.value);
  return (
    <>
      <ol class="rules">
        {ordered.slice(0, n).map((leaf) => (
          <li key={leaf}>
            <span class="conditions">
              {conditions(leaf).map((each, i) => <span key={i}>{i > 0 && <b> and </b>}<ConditionText each={each} /></span>)}
              {leaf === 0 && "any row"}
            </span>
            <span class="then">
              <button class="link-button strong" onClick={() => { reveal(leaf); document.getElementById("tree")?.scrollIntoView(); }}>{predictionText(leaf)}</button>
              <svg width="120" height="8" aria-hidden="true"><BarChart bar={barOf(leaf)} x={0} y={1} width={120} height={6} /></svg>
              <span class="quiet">{rowsText(leaf)}</span>
            </span>
          </li>
        ))}
      </ol>
      {ordered.length > n && <p class="print-only">{`The first ${count(n)} of ${count(ordered.length)} rules.`}</p>}
      {ordered.length > n && <button onClick={() => (most.value += 200)}>{`more of the ${count(ordered.length)} rules`}</button>}
    </>
  );
}
