// Beside the tree: the facts of a node, what if, and pruning.
import { answersOf, condition, counted, cut, deviation, facts, loss, nodes, number, parent, percent, says, shares, weight } from "./facts";
import { alpha, follow, isLeaf, journey, leaves, losses, reveal, row, selected, showsPath, step } from "./state";

function pathTo(node: number): number[] {
  const out = [];
  for (let at = node; at >= 0; at = parent[at]) out.push(at);
  return out.reverse();
}

export function linkWords(node: number): string {
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
    <section class="panel" aria-live="polite" aria-label="Facts of the node">
      <h3>{`Node ${node}: ${cut(says(node), 60)}`}</h3>
      <dl>
        <dt>rows</dt><dd>{`${nodes.rows[node].toLocaleString("en")} (${percent(nodes.rows[node] / Math.max(nodes.rows[0], 1))} of all)`}</dd>
        {facts.is_class ? (
          <>
            <dt>wrong here</dt><dd>{number(loss(node), 6)}</dd>
          </>
        ) : (
          <>
            <dt>mean, deviation</dt><dd>{`${number(nodes.answer[node], 6)}, ${number(deviation(node), 4)}`}</dd>
          </>
        )}
        {nodes.test && (
          <>
            <dt>test rows</dt><dd>{`${number(nodes.test.rows[node], 6)}, ${facts.is_class ? "wrong" : "squares"} ${number(nodes.test.loss[node], 5)}`}</dd>
          </>
        )}
        <dt>impurity</dt><dd>{number(nodes.impurity[node], 4)}</dd>
        {inner && (
          <>
            <dt>asks</dt><dd>{cut(condition(nodes.question[node], 0), 200)}</dd>
            <dt>gain</dt><dd>{number(nodes.gain[node], 4)}</dd>
            <dt>unknown values</dt><dd>{unknownWords(node)}</dd>
            <dt>collapses at alpha</dt><dd>{nodes.collapse[node] === null ? "–" : number(nodes.collapse[node]!, 4)}</dd>
          </>
        )}
        {leaf && !inner && nodes.reason[node] > 0 && (<><dt>a leaf because</dt><dd>{facts.reasons[nodes.reason[node]]}</dd></>)}
      </dl>
      {facts.is_class && <Shares node={node} />}
      {competitors.length > 0 && (
        <>
          <h4>Came next</h4>
          <ol>{competitors.map(([question, gain], i) => <li key={i}>{`${cut(condition(question, 0), 120)} (gain ${gain === null ? "undefined" : number(gain, 4)})`}</li>)}</ol>
        </>
      )}
      {surrogates.length > 0 && (
        <>
          <h4>If that is unknown, asked instead</h4>
          <ol>{surrogates.map(([question, isFlipped, agree], i) => <li key={i}>{`${cut(condition(question, isFlipped), 120)} (agrees ${percent(agree)})`}</li>)}</ol>
        </>
      )}
      <h4>The way here</h4>
      <ol class="path">{path.slice(-40).map((at) => <li key={at}><button class="plain" onClick={() => reveal(at)}>{cut(linkWords(at), 120)}</button></li>)}</ol>
    </section>
  );
}

function unknownWords(node: number): string {
  const goes = nodes.missing[node];
  if (goes === -2) return "shared out over the branches";
  return goes < 0 ? "end here" : `go to: ${cut(answersOf(nodes.question[node])[goes], 60)}`;
}

function Shares({ node }: { node: number }) {
  const all = shares(node).map((share, k) => ({ share, k })).filter((each) => each.share > 0).sort((a, b) => b.share - a.share);
  return (
    <table class="bars">
      <tbody>
        {all.slice(0, 12).map(({ share, k }) => (
          <tr key={k}>
            <th scope="row">{cut(facts.classes[k], 40)}</th>
            <td class="bar"><svg width="100" height="10" aria-hidden="true"><rect width={100 * share} height="10" rx="2" fill={facts.colours[k]} /></svg></td>
            <td>{percent(share)}</td>
            <td class="quiet">{number(nodes.stats[node][k], 6)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Pruning() {
  const last = facts.alphas.alphas.length - 1;
  if (last < 1) return null;
  const total = weight(0) || 1;
  const test = nodes.test ? nodes.test.rows[0] || 1 : 1;
  const { training, test: left } = losses.value;
  const told = (value: number, of: number) => (facts.is_class ? `${percent(value / of)} (${number(value, 5)} of ${number(of, 6)})` : `mean square ${number(value / of, 4)}`);
  return (
    <section class="panel" aria-label="Pruning">
      <h3>Prune</h3>
      <label>
        <span>{`alpha ${step.value === 0 ? "0 (the whole tree)" : number(alpha.value, 3)}`}</span>
        <input type="range" min={0} max={last} value={step.value} aria-valuetext={`${leaves.value.length} leaves`} onInput={(event) => (step.value = Number(event.currentTarget.value))} />
      </label>
      <dl aria-live="polite">
        <dt>leaves</dt><dd>{leaves.value.length.toLocaleString("en")}</dd>
        <dt>{facts.is_class ? "wrong, training rows" : "training rows"}</dt><dd>{told(training, total)}</dd>
        {left !== null && (<><dt>{facts.is_class ? "wrong, test rows" : "test rows"}</dt><dd>{told(left, test)}</dd></>)}
      </dl>
      <p class="hint">{facts.alphas.words}</p>
    </section>
  );
}

function Field({ place }: { place: number }) {
  const column = facts.columns[place];
  const value = row.value[place];
  const set = (next: number | null) => {
    row.value = row.value.map((old, i) => (i === place ? next : old));
    showsPath.value = true;
  };
  const isNumber = column.kind === "numeric";
  const [low, high] = [column.low ?? 0, column.high ?? 1];
  return (
    <div class="field">
      <label for={`field-${place}`}>{cut(column.name, 80)}</label>
      {isNumber ? (
        <>
          <input type="range" min={low} max={high} step="any" value={value ?? low} aria-label={`${cut(column.name, 80)}, slider`} onInput={(event) => set(Number(Number(event.currentTarget.value).toPrecision(4)))} />
          <input id={`field-${place}`} type="number" step="any" value={value ?? ""} placeholder="unknown" onInput={(event) => set(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))} />
        </>
      ) : (
        <select id={`field-${place}`} value={value === null ? "" : String(value)} onChange={(event) => set(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}>
          <option value="">unknown</option>
          {column.levels.map((level, code) => <option key={code} value={String(code)}>{cut(level, 60)}</option>)}
        </select>
      )}
    </div>
  );
}

function RowOptions({ label, from, to }: { label: string; from: number; to: number }) {
  const { row: rowOf, truth } = facts.rows;
  if (to <= from) return null;
  return (
    <optgroup label={label}>
      {Array.from({ length: Math.min(to - from, 300) }, (_, i) => from + i).map((at) => (
        <option key={at} value={String(at)}>{`row ${rowOf[at]}: ${cut(truth[at], 30)}`}</option>
      ))}
    </optgroup>
  );
}

export function WhatIf() {
  const used = facts.columns.map((column, place) => ({ column, place })).filter(({ column }) => column.is_used);
  const { path, steps, values } = journey.value;
  const end = path[path.length - 1];
  const best = values.indexOf(Math.max(...values));
  return (
    <section class="panel" aria-label="What if">
      <h3>What if</h3>
      {facts.rows.row.length > 0 && (
        <label>
          <span>start from a row</span>
          <select onChange={(event) => event.currentTarget.value !== "" && follow(Number(event.currentTarget.value))}>
            <option value="">typical values</option>
            <RowOptions label="fresh rows" from={0} to={facts.rows.fresh} />
            <RowOptions label="training rows" from={facts.rows.fresh} to={facts.rows.row.length} />
          </select>
        </label>
      )}
      <div class="fields">{used.slice(0, 60).map(({ place }) => <Field key={place} place={place} />)}</div>
      <p class="answer" aria-live="polite">
        {facts.is_class ? `${cut(facts.classes[best], 60)}, ${percent(values[best])}` : number(values[0], 5)}
        <span class="quiet">{` at node ${end} (${counted(nodes.rows[end], "row")})`}</span>
      </p>
      <div class="buttons">
        <button aria-pressed={showsPath.value} onClick={() => { showsPath.value = !showsPath.value; if (showsPath.value) reveal(end); }}>show the way in the tree</button>
      </div>
      <ol class="path">
        {path.slice(1, 60).map((at, i) => <li key={at}>{cut(linkWords(at), 120)}{steps[i] && <span class="quiet">{` (${steps[i]})`}</span>}</li>)}
      </ol>
    </section>
  );
}
