// The rows of the data that reach a node, as far as they travel with the page.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { counted, cut, facts, nodes, parent, valueText } from "./facts";
import { follow, selected } from "./state";

const FIRST = 8;
const MORE = 50;
const MOST_COLUMNS = 10;

// In which order nodes are entered and left on a walk through the tree: what lies below a node lies between.
const [entered, left] = (() => {
  const below = new Int32Array(nodes.first.length).fill(1);
  for (let node = below.length - 1; node > 0; node--) below[parent[node]] += below[node];
  const start = new Int32Array(below.length);
  for (let node = 0; node < below.length; node++) {
    let at = start[node] + 1;
    for (let b = 0; b < nodes.count[node]; b++) {
      start[nodes.first[node] + b] = at;
      at += below[nodes.first[node] + b];
    }
  }
  return [start, start.map((at, node) => at + below[node])];
})();

function reaching(node: number): number[] {
  const out: number[] = [];
  facts.rows.end.forEach((end, place) => {
    if (entered[end] >= entered[node] && entered[end] < left[node]) out.push(place);
  });
  return out;
}

// What was asked on the way and is asked here, then the other columns of the tree, then any.
function columnsFor(node: number): number[] {
  const asked: number[] = [];
  for (let at = node; at >= 0; at = parent[at]) {
    const question = nodes.question[at] >= 0 ? facts.questions[nodes.question[at]] : null;
    if (question && question.column >= 0 && !asked.includes(question.column)) asked.push(question.column);
  }
  const used = facts.rows.columns.filter((column) => facts.columns[column].is_used);
  return [...new Set([...asked, ...used, ...facts.rows.columns])].filter((column) => facts.rows.columns.includes(column)).slice(0, MOST_COLUMNS);
}

export function rowsHeld(): string {
  const [fresh, training] = facts.rows.held;
  const [allFresh, allTraining] = facts.rows.all;
  const told = [
    training > 0 && `${training.toLocaleString("en")} of ${counted(allTraining, "training row")}`,
    fresh > 0 && `${fresh.toLocaleString("en")} of ${counted(allFresh, "fresh row")}`,
  ].filter(Boolean);
  return `This file holds the values of ${told.join(" and ")}.`;
}

export function RowsHere() {
  const node = selected.value;
  const most = useSignal(FIRST);
  const here = useMemo(() => reaching(node), [node]);
  const columns = useMemo(() => columnsFor(node), [node]);
  if (!facts.rows.row.length) return null;
  const training = here.filter((place) => place >= facts.rows.fresh);
  const fresh = here.length - training.length;
  const ordered = [...training, ...here.slice(0, fresh)];
  const { row, truth, values } = facts.rows;
  const at = (column: number) => facts.rows.columns.indexOf(column);
  return (
    <section class="panel rows-here" aria-label="Rows of the node">
      <h3>{`Rows of node ${node}`} <span class="quiet">{here.length < nodes.rows[node] ? `${counted(here.length, "row")} of those in this file` : ""}</span></h3>
      {here.length === 0 ? (
        <p class="hint">None of the rows in this file.</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr><th scope="col">row</th><th scope="col">{cut(facts.target, 24)}</th>{columns.map((column) => <th key={column} scope="col">{cut(facts.columns[column].name, 24)}</th>)}</tr>
            </thead>
            <tbody>
              {ordered.slice(0, most.value).map((place) => (
                <tr key={place}>
                  <th scope="row"><button class="plain" aria-label={`row ${row[place]}: show its way`} onClick={() => follow(place)}>{`${row[place]}${place < facts.rows.fresh ? " fresh" : ""}`}</button></th>
                  <td>{cut(truth[place], 30)}</td>
                  {columns.map((column) => <td key={column}>{cut(valueText(column, values[place][at(column)]), 24)}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {ordered.length > most.value && <button onClick={() => (most.value += MORE)}>{`more of ${counted(ordered.length, "row")}`}</button>}
    </section>
  );
}
