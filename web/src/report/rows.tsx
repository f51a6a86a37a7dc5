// The included rows that reach a node.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { count, countText, truncate } from "../shared/text";
import { columnsOfPath } from "./columns";
import { nodes, parent, report, valueText } from "./values";
import { follow, selected } from "./state";

const FIRST = 8;
const MORE = 50;
const MAX_COLUMNS = 10;

// The order in which a depth-first walk enters and leaves nodes: all nodes below a node are between.
function walkOrder(): [Int32Array, Int32Array] {
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
}

let order: [Int32Array, Int32Array] | null = null;

function reaching(node: number): number[] {
  const [entered, left] = (order ??= walkOrder());
  const out: number[] = [];
  report.rows.end.forEach((end, index) => {
    if (entered[end] >= entered[node] && entered[end] < left[node]) out.push(index);
  });
  return out;
}

// The columns of the questions on the path and of this node, then the other columns of the tree, then the rest.
function columnsFor(node: number): number[] {
  const included = new Set(report.rows.columns);
  const used = report.rows.columns.filter((column) => report.columns[column].is_used);
  return [...new Set([...columnsOfPath(node, false), ...used, ...report.rows.columns])].filter((column) => included.has(column)).slice(0, MAX_COLUMNS);
}

export function RowsHere() {
  const node = selected.value;
  const most = useSignal(FIRST);
  const here = useMemo(() => reaching(node), [node]);
  const columns = useMemo(() => columnsFor(node), [node]);
  if (!report.rows.row.length) return null;
  const training = here.filter((index) => index >= report.rows.n_test);
  const nTest = here.length - training.length;
  const ordered = [...training, ...here.slice(0, nTest)];
  const { row, target, values } = report.rows;
  const at = (column: number) => report.rows.columns.indexOf(column);
  return (
    <div class="rows-here">
      <p class="quiet">{summary(node, training.length, nTest)}</p>
      {here.length === 0 ? (
        <p class="hint">No row of this file reaches the node.</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr><th scope="col">row</th><th scope="col">{truncate(report.target, 24)}</th>{columns.map((column) => <th key={column} scope="col">{truncate(report.columns[column].name, 24)}</th>)}</tr>
            </thead>
            <tbody>
              {ordered.slice(0, most.value).map((index) => (
                <tr key={index}>
                  <th scope="row"><button class="link-button" aria-label={`row ${row[index]}: show its path`} onClick={() => follow(index)}>{`${row[index]}${index < report.rows.n_test ? " test" : ""}`}</button></th>
                  <td>{truncate(target[index], 30)}</td>
                  {columns.map((column) => <td key={column}>{truncate(valueText(column, values[index][at(column)]), 24)}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {ordered.length > most.value && <button onClick={() => (most.value += MORE)}>{`more of ${countText(ordered.length, "row")}`}</button>}
    </div>
  );
}

// How many of the rows that reach a node are in the file.
function summary(node: number, training: number, test: number): string {
  const counts = [training > 0 && `${count(training)} of ${countText(nodes.rows[node], "training row")}`, test > 0 && `${count(test)} of ${nodes.test ? countText(nodes.test.rows[node], "test row") : "the test rows"}`];
  return `Node ${node}: ${counts.filter(Boolean).join(" and ") || `none of ${countText(nodes.rows[node], "row")}`} in this file.`;
}
