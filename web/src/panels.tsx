// The panels next to the tree: details of a node, what if, and pruning.
import { outcomesOf, condition, countText, truncate, deviation, report, loss, nodes, number, parent, percent, predictionText, probabilities, weight } from "./values";
import { alpha, follow, isLeaf, leaves, losses, reveal, row, selected, showsPath, step, walked } from "./state";
import { ROUTING_TEXT } from "./walk";

function pathTo(node: number): number[] {
  const out = [];
  for (let at = node; at >= 0; at = parent[at]) out.push(at);
  return out.reverse();
}

export function linkText(node: number): string {
  const above = parent[node];
  return above < 0 ? "all rows" : condition(nodes.question[above], node - nodes.first[above]);
}

export function NodePanel() {
  const node = selected.value;
  const leaf = isLeaf.value(node);
  const inner = nodes.first[node] >= 0;
  const path = pathTo(node);
  const surrogates = nodes.surrogates[node] ?? [];
  const competitors = nodes.competitors[node] ?? [];
  return (
    <section class="panel" aria-live="polite" aria-label="Details of the node">
      <h3>{`Node ${node}: ${truncate(predictionText(node), 60)}`}</h3>
      <dl>
        <dt>rows</dt><dd>{`${nodes.rows[node].toLocaleString("en")} (${percent(nodes.rows[node] / Math.max(nodes.rows[0], 1))} of all)`}</dd>
        {report.is_class ? (
          <>
            <dt>misclassified</dt><dd>{number(loss(node), 6)}</dd>
          </>
        ) : (
          <>
            <dt>mean, standard deviation</dt><dd>{`${number(nodes.prediction[node], 6)}, ${number(deviation(node), 4)}`}</dd>
          </>
        )}
        {nodes.test && (
          <>
            <dt>test rows</dt><dd>{`${number(nodes.test.rows[node], 6)}, ${report.is_class ? "misclassified" : "sum of squares"} ${number(nodes.test.loss[node], 5)}`}</dd>
          </>
        )}
        <dt>impurity</dt><dd>{number(nodes.impurity[node], 4)}</dd>
        {inner && (
          <>
            <dt>question</dt><dd>{truncate(condition(nodes.question[node], 0), 200)}</dd>
            <dt>gain</dt><dd>{number(nodes.gain[node], 4)}</dd>
            <dt>missing values</dt><dd>{missingText(node)}</dd>
            <dt>collapses at alpha</dt><dd>{nodes.collapse[node] === null ? "–" : number(nodes.collapse[node]!, 4)}</dd>
          </>
        )}
        {leaf && !inner && nodes.reason[node] > 0 && (<><dt>reason for the leaf</dt><dd>{report.reasons[nodes.reason[node]]}</dd></>)}
      </dl>
      {report.is_class && <Probabilities node={node} />}
      {competitors.length > 0 && (
        <>
          <h4>Competitors</h4>
          <ol>{competitors.map(([question, gain], i) => <li key={i}>{`${truncate(condition(question, 0), 120)} (gain ${gain === null ? "undefined" : number(gain, 4)})`}</li>)}</ol>
        </>
      )}
      {surrogates.length > 0 && (
        <>
          <h4>Surrogates for missing values</h4>
          <ol>{surrogates.map(([question, isFlipped, agree], i) => <li key={i}>{`${truncate(condition(question, isFlipped), 120)} (agreement ${percent(agree)})`}</li>)}</ol>
        </>
      )}
      <h4>Path</h4>
      <ol class="path">{path.slice(-40).map((at) => <li key={at}><button class="link-button" onClick={() => reveal(at)}>{truncate(linkText(at), 120)}</button></li>)}</ol>
    </section>
  );
}

function missingText(node: number): string {
  const goes = nodes.missing_branch[node];
  if (goes === -2) return "fractional: all branches";
  return goes < 0 ? "stay here" : `branch: ${truncate(outcomesOf(nodes.question[node])[goes], 60)}`;
}

function Probabilities({ node }: { node: number }) {
  const all = probabilities(node).map((probability, k) => ({ probability, k })).filter((each) => each.probability > 0).sort((a, b) => b.probability - a.probability);
  return (
    <table class="bars">
      <tbody>
        {all.slice(0, 12).map(({ probability, k }) => (
          <tr key={k}>
            <th scope="row">{truncate(report.classes[k], 40)}</th>
            <td class="bar"><svg width="100" height="10" aria-hidden="true"><rect width={100 * probability} height="10" rx="2" fill={report.colors[k]} /></svg></td>
            <td>{percent(probability)}</td>
            <td class="quiet">{number(nodes.stats[node][k], 6)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Pruning() {
  const last = report.alphas.alphas.length - 1;
  if (last < 1) return null;
  const total = weight(0) || 1;
  const test = nodes.test ? nodes.test.rows[0] || 1 : 1;
  const { training, test: left } = losses.value;
  const lossText = (value: number, of: number) => (report.is_class ? `${percent(value / of)} (${number(value, 5)} of ${number(of, 6)})` : `mean squared error ${number(value / of, 4)}`);
  return (
    <section class="panel" aria-label="Pruning">
      <h3>Prune</h3>
      <label>
        <span>{`alpha ${step.value === 0 ? "0 (full tree)" : number(alpha.value, 3)}`}</span>
        <input type="range" min={0} max={last} value={step.value} aria-valuetext={`${leaves.value.length} leaves`} onInput={(event) => (step.value = Number(event.currentTarget.value))} />
      </label>
      <dl aria-live="polite">
        <dt>leaves</dt><dd>{leaves.value.length.toLocaleString("en")}</dd>
        <dt>{report.is_class ? "misclassified training rows" : "training rows"}</dt><dd>{lossText(training, total)}</dd>
        {left !== null && (<><dt>{report.is_class ? "misclassified test rows" : "test rows"}</dt><dd>{lossText(left, test)}</dd></>)}
      </dl>
      <p class="hint">{report.alphas.text}</p>
    </section>
  );
}

function Field({ index }: { index: number }) {
  const column = report.columns[index];
  const value = row.value[index];
  const set = (next: number | null) => {
    row.value = row.value.map((old, i) => (i === index ? next : old));
    showsPath.value = true;
  };
  const isNumber = column.kind === "numeric";
  const [low, high] = [column.low ?? 0, column.high ?? 1];
  return (
    <div class="field">
      <label for={`field-${index}`}>{truncate(column.name, 80)}</label>
      {isNumber ? (
        <>
          <input type="range" min={low} max={high} step="any" value={value ?? low} aria-label={`${truncate(column.name, 80)}, slider`} onInput={(event) => set(Number(Number(event.currentTarget.value).toPrecision(4)))} />
          <input id={`field-${index}`} type="number" step="any" value={value ?? ""} placeholder="missing" onInput={(event) => set(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))} />
        </>
      ) : (
        <select id={`field-${index}`} value={value === null ? "" : String(value)} onChange={(event) => set(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}>
          <option value="">missing</option>
          {column.levels.map((level, code) => <option key={code} value={String(code)}>{truncate(level, 60)}</option>)}
        </select>
      )}
    </div>
  );
}

function RowOptions({ label, from, to }: { label: string; from: number; to: number }) {
  const { row: rowOf, target } = report.rows;
  if (to <= from) return null;
  return (
    <optgroup label={label}>
      {Array.from({ length: Math.min(to - from, 300) }, (_, i) => from + i).map((at) => (
        <option key={at} value={String(at)}>{`row ${rowOf[at]}: ${truncate(target[at], 30)}`}</option>
      ))}
    </optgroup>
  );
}

export function WhatIf() {
  const used = report.columns.map((column, index) => ({ column, index })).filter(({ column }) => column.is_used);
  const { path, steps, values } = walked.value;
  const end = path[path.length - 1];
  const best = values.indexOf(Math.max(...values));
  return (
    <section class="panel" aria-label="What if">
      <h3>What if</h3>
      {report.rows.row.length > 0 && (
        <label>
          <span>values of a row</span>
          <select onChange={(event) => event.currentTarget.value !== "" && follow(Number(event.currentTarget.value))}>
            <option value="">typical values</option>
            <RowOptions label="test rows" from={0} to={report.rows.n_test} />
            <RowOptions label="training rows" from={report.rows.n_test} to={report.rows.row.length} />
          </select>
        </label>
      )}
      <div class="fields">{used.slice(0, 60).map(({ index }) => <Field key={index} index={index} />)}</div>
      <p class="row-prediction" aria-live="polite">
        {report.is_class ? `${truncate(report.classes[best], 60)}, ${percent(values[best])}` : number(values[0], 5)}
        <span class="quiet">{` at node ${end} (${countText(nodes.rows[end], "row")})`}</span>
      </p>
      <div class="buttons">
        <button aria-pressed={showsPath.value} onClick={() => { showsPath.value = !showsPath.value; if (showsPath.value) reveal(end); }}>show the path in the tree</button>
      </div>
      <ol class="path">
        {path.slice(1, 60).map((at, i) => <li key={at}>{truncate(linkText(at), 120)}{ROUTING_TEXT[steps[i]] && <span class="quiet">{` (${ROUTING_TEXT[steps[i]]})`}</span>}</li>)}
      </ol>
    </section>
  );
}
