// The details of the selected node: the path to it, its prediction, its rows, the question and its competitors.
import { useSignal } from "@preact/signals";
import { BarChart, HistogramChart } from "../shared/charts";
import { count, countText, number, percent } from "../shared/text";
import { ConditionText, Levels, conditionAt, levelsOf } from "./conditions";
import { barOf, histogramOf, testRate } from "./source";
import { childrenOf, classColor, condition, deviation, isHidden, loss, nodes, outcomeText, parent, pathTo, prediction, predictionText, classFractions, report, rowsCount, rowsText, title } from "./values";
import { isLeaf, reveal, selected } from "./state";

const LISTED = 3;

export function Inspector() {
  const node = selected.value;
  const leaf = isLeaf.value(node);
  return (
    <section class="pane" aria-live="polite" aria-label="Details of the node">
      <Crumbs node={node} />
      <h3 class="headline">{predictionText(node)} <span class="quiet">{`${rowsText(node)}${isHidden(node) || node === 0 ? "" : `, ${percent(nodes.rows[node] / Math.max(nodes.rows[0], 1))} of all`} · node ${node}`}</span></h3>
      {report.is_class ? <Classes node={node} /> : <Numbers node={node} />}
      {!leaf && <Split node={node} />}
      <Details node={node} />
    </section>
  );
}

function Crumbs({ node }: { node: number }) {
  const isOpen = useSignal(false);
  const path = pathTo(node);
  const shown = isOpen.value || path.length <= 7 ? path : [path[0], ...path.slice(-5)];
  return (
    <ol class="crumbs" aria-label="Path">
      {shown.map((at, i) => (
        <li key={at}>
          {i === 1 && shown.length < path.length && <button class="link-button" onClick={() => (isOpen.value = true)}>{`${path.length - shown.length} more`}</button>}
          <button class="crumb" aria-current={at === node ? "true" : undefined} onClick={() => reveal(at)}><Crumb node={at} /></button>
        </li>
      ))}
    </ol>
  );
}

function Crumb({ node }: { node: number }) {
  const above = parent[node];
  if (above < 0) return <>all rows</>;
  const { text, levels } = conditionAt(nodes.question[above], node - nodes.first[above]);
  if (!levels.length) return <>{text}</>;
  return <>{`${text}: ${levels.length > 3 ? `${levels[0]} +${levels.length - 1}` : levels.join(", ")}`}</>;
}

// Class probabilities: all of few classes, the largest of many with the others on request.
function Classes({ node }: { node: number }) {
  const isOpen = useSignal(false);
  const all = classFractions(node).map((share, k) => ({ share, k })).filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
  const isMany = all.length > 8;
  const shown = isMany && !isOpen.value ? all.slice(0, LISTED) : all;
  const rate = testRate(node);
  return (
    <>
      {isHidden(node) ? <p class="hint">{`Counts below ${report.hide_below} are hidden.`}</p> : (
        <table class="classes">
          <tbody>
            {shown.map(({ share, k }) => (
              <tr key={k}>
                <th scope="row">{report.classes[k]}</th>
                <td class="bar"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="wash" width="100" height="8" /><rect width={100 * share} height="8" fill={classColor(k)} /></svg></td>
                <td>{percent(share)}</td>
                <td class="quiet">{count(nodes.stats[node][k])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isMany && <button class="link-button" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>{isOpen.value ? "fewer" : `${all.length - LISTED} other classes, ${percent(all.slice(LISTED).reduce((sum, { share }) => sum + share, 0))}`}</button>}
      {rate && <p class="hint">{`Test rows: ${percent(rate.rate)} of ${count(rate.rows)} ${report.ensemble ? "are predicted as" : "are"} ${prediction(node)} (95% interval ${percent(rate.low)} to ${percent(rate.high)}).`}</p>}
    </>
  );
}

function Numbers({ node }: { node: number }) {
  const test = nodes.test;
  return (
    <>
      <svg class="strip" viewBox="0 0 300 14" preserveAspectRatio="none" aria-hidden="true"><BarChart bar={barOf(node)} x={0} y={2} width={300} height={10} /></svg>
      <p class="hint">{`Mean ${number(nodes.prediction[node], 6)}${isHidden(node) ? "" : `, standard deviation ${number(deviation(node), 4)}`}.${test && test.rows[node] >= Math.max(report.hide_below, 1) ? ` Root mean squared error of ${countText(test.rows[node], "test row")}: ${number(Math.sqrt(test.loss[node] / test.rows[node]), 4)}.` : ""}`}</p>
    </>
  );
}

// The question of a node, with the values of its column and what each branch predicts.
function Split({ node }: { node: number }) {
  const row = nodes.question[node];
  const histogram = histogramOf(node);
  const profile = report.profiles[node];
  const children = childrenOf(node);
  const isEmpty = (child: number) => !report.hide_below && nodes.rows[child] === 0;
  const shown = children.filter((child) => !isEmpty(child)).slice(0, 12);
  return (
    <div class="split-box">
      <h4>{title(node)}</h4>
      {histogram && (
        <svg class="profile" viewBox="0 0 330 104" aria-hidden="true">
          <HistogramChart histogram={histogram} x={4} y={8} width={322} height={74} />
          {profile.low !== null && !profile.labels.length && <><text x={4} y={97}>{number(profile.low, 4)}</text><text x={326} y={97} text-anchor="end">{(profile.has_tail ? "≥ " : "") + number(profile.high!, 4)}</text></>}
          {profile.low !== null && !profile.labels.length && histogram.cuts.length === 1 && <CutFlag at={4 + 322 * histogram.cuts[0]} text={number(report.questions[row].reals[0], 6)} />}
          {profile.labels.length > 0 && profile.labels.length <= 6 && profile.labels.map((label, i) => <text key={i} x={4 + (322 * (i + 0.5)) / profile.labels.length} y={97} text-anchor="middle">{label.length > 60 / profile.labels.length ? `${label.slice(0, Math.max(60 / profile.labels.length - 1, 3))}…` : label}</text>)}
        </svg>
      )}
      <div class="sides">
        {shown.map((child) => {
          const at = child - nodes.first[node];
          const levels = levelsOf(row, at);
          return (
            <button key={child} class="side-card" onClick={() => reveal(child)}>
              <span class="head"><span>{levels.length ? <Levels levels={levels} /> : outcomeText(row, at)}</span><span>{rowsCount(child)}</span></span>
              <b>{predictionText(child)}</b>
              <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><BarChart bar={barOf(child)} x={0} y={0} width={100} height={6} /></svg>
            </button>
          );
        })}
      </div>
      {shown.length < children.length && <p class="hint">{`and ${countText(children.length - shown.length, "branch", "branches")}${children.some(isEmpty) ? `, ${children.filter(isEmpty).length} of them without rows` : ""}`}</p>}
    </div>
  );
}

function CutFlag({ at, text }: { at: number; text: string }) {
  const wide = Math.max(7 * text.length + 12, 30);
  const x = Math.min(Math.max(at, wide / 2), 330 - wide / 2);
  return <g class="flag"><rect x={x - wide / 2} y={86} width={wide} height={17} rx={5} /><text x={x} y={98} text-anchor="middle">{text}</text></g>;
}

function missingText(node: number): string {
  const goes = nodes.missing_branch[node];
  if (goes === -2) return "fractional: all branches";
  return goes < 0 ? "stay here" : `branch: ${outcomeText(nodes.question[node], goes)}`;
}

function Details({ node }: { node: number }) {
  const inner = nodes.first[node] >= 0;
  const surrogates = nodes.surrogates[node] ?? [];
  const competitors = nodes.competitors[node] ?? [];
  return (
    <details>
      <summary>{`More about this node${competitors.length ? ": competitors" : ""}${surrogates.length ? `${competitors.length ? ", " : ": "}surrogates` : ""}`}</summary>
      <p class="whole-path">{pathTo(node).slice(1).map((at, i) => <span key={at}>{i > 0 && <b> and </b>}<ConditionText each={conditionAt(nodes.question[parent[at]], at - nodes.first[parent[at]])} /></span>)}</p>
      <dl>
        {report.is_class && !isHidden(node) && <><dt>misclassified</dt><dd>{number(loss(node), 6)}</dd></>}
        {!report.hide_below && <><dt>impurity</dt><dd>{number(nodes.impurity[node], 4)}</dd></>}
        {inner && !report.hide_below && <><dt>gain</dt><dd>{number(nodes.gain[node], 4)}</dd></>}
        {inner && <><dt>missing values</dt><dd>{missingText(node)}</dd></>}
        {inner && <><dt>collapses at alpha</dt><dd>{nodes.collapse[node] === null ? "–" : number(nodes.collapse[node]!, 4)}</dd></>}
        {!inner && nodes.reason[node] > 0 && <><dt>reason for the leaf</dt><dd>{report.reasons[nodes.reason[node]]}</dd></>}
      </dl>
      {competitors.length > 0 && <><h4>Competitors</h4><ol>{competitors.map(([question, gain], i) => <li key={i}><ConditionText each={conditionAt(question, 0)} />{report.hide_below ? "" : ` (gain ${gain === null ? "undefined" : number(gain, 4)})`}</li>)}</ol></>}
      {surrogates.length > 0 && <><h4>Surrogates for missing values</h4><ol>{surrogates.map(([question, isFlipped, agree], i) => <li key={i}>{`${condition(question, isFlipped)} (agreement ${percent(agree)})`}</li>)}</ol></>}
    </details>
  );
}

