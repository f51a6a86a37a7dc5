// The board next to the tree: the main metric, and pruning with its curve.
import { useRef } from "preact/hooks";
import { count, countText, number } from "../shared/text";
import { report } from "./values";
import { alpha, step } from "./state";

const WIDE = 204;
const TALL = 92;
const MAX_POINTS = 400;

export function Headline() {
  const scores = report.scores;
  if (!scores || !scores.headline.length) return null;
  const [name, value, interval, ...others] = scores.headline;
  return (
    <section class="board-part" aria-label="Main metric">
      <h2>{scores.heading.split(".")[0].replace(/^On /, "")}</h2>
      <p class="big"><b>{value}</b> <span>{name}</span></p>
      {interval && <p class="quiet">{interval}</p>}
      {others.length > 0 && (
        <table class="measures"><tbody>{others.map((each, i) => i % 2 === 0 && <tr key={i}><th scope="row">{each}</th><td>{others[i + 1]}</td></tr>)}</tbody></table>
      )}
      {scores.heading.includes("optimistic") && <p class="hint">Measured on the rows that trained the tree: optimistic.</p>}
    </section>
  );
}

// The tree of an ensemble's report imitates the ensemble.
export function Surrogate() {
  if (!report.ensemble) return null;
  return <section class="board-part" aria-label="Surrogate tree"><h2>Surrogate tree</h2><p>{report.ensemble.fidelity} <a href="#ensemble">The model</a></p></section>;
}

const LOSS = report.ensemble ? (report.is_class ? "rows unlike the model" : "squared distance") : report.is_class ? "rows misclassified" : "mean squared error";
const lossText = (value: number) => (report.is_class ? `${(100 * value).toFixed(1)}%` : number(value, 4));

const { leaves, training, test } = report.pruning;
const last = leaves.length - 1;
const smallest = test ? test.reduce((at, loss, i) => (loss <= test[at] + 1e-12 ? i : at), 0) : -1; // of equal ones the smaller tree

// Positions: the axis of leaves is logarithmic.
const most = Math.log2(Math.max(leaves[0] ?? 2, 2));
const losses = test ? [...training, ...test] : training;
const highest = losses.reduce((a, b) => Math.max(a, b), 1e-12);
const xOf = (i: number) => (Math.log2(Math.max(leaves[i], 1)) / most) * WIDE;
const yOf = (loss: number) => TALL - (loss / highest) * (TALL - 6);

function line(of: number[]): string {
  const stride = Math.max(1, Math.floor(of.length / MAX_POINTS));
  return of.flatMap((loss, i) => (i % stride === 0 || i === last ? [`${xOf(i).toFixed(1)},${yOf(loss).toFixed(1)}`] : [])).join(" ");
}

function Curve() {
  const frame = useRef<SVGSVGElement>(null);
  const now = step.value;
  const toStep = (event: PointerEvent) => {
    if (event.type === "pointermove" && !event.buttons) return;
    const box = frame.current!.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * (WIDE + 8) - 4;
    step.value = leaves.reduce((found, _, i) => (Math.abs(xOf(i) - at) < Math.abs(xOf(found) - at) ? i : found), 0);
  };
  const label = `Error by the number of leaves; ${test ? `the test error is smallest with ${countText(leaves[smallest], "leaf", "leaves")}` : "training rows only"}`;
  return (
    <svg ref={frame} class="prune-curve" viewBox={`-4 -4 ${WIDE + 8} ${TALL + 22}`} role="img" aria-label={label} onPointerDown={toStep} onPointerMove={toStep}>
      <line class="base" x1={0} x2={WIDE} y1={TALL} y2={TALL} />
      <polyline class="training" points={line(training)} />
      {test && <polyline class="test" points={line(test)} />}
      {test && <circle class="best" cx={xOf(smallest)} cy={yOf(test[smallest])} r={4} />}
      <line class="now" x1={xOf(now)} x2={xOf(now)} y1={0} y2={TALL} />
      <circle class="now-dot" cx={xOf(now)} cy={yOf((test ?? training)[now])} r={4} />
      <text x={0} y={TALL + 14}>1 leaf</text><text x={WIDE} y={TALL + 14} text-anchor="end">{count(leaves[0])}</text>
    </svg>
  );
}

export function Pruning() {
  if (last < 1) return null;
  const now = step.value;
  return (
    <section class="board-part" aria-label="Pruning">
      <h2>Prune</h2>
      <p class="prune-now" aria-live="polite"><b>{countText(leaves[now], "leaf", "leaves")}</b> <span class="quiet">{now === 0 ? "the full tree" : `of ${count(leaves[0])}`}</span></p>
      <table class="measures">
        <tbody>
          {test && <tr><th scope="row"><i class="key test" />{`test ${LOSS}`}</th><td><b>{lossText(test[now])}</b></td></tr>}
          <tr><th scope="row"><i class="key training" />{`training ${LOSS}`}</th><td>{lossText(training[now])}</td></tr>
        </tbody>
      </table>
      <Curve />
      <input type="range" min={0} max={last} value={last - now} aria-label="Leaves of the pruned tree" aria-valuetext={`${leaves[now]} leaves`} onInput={(event) => (step.value = last - Number(event.currentTarget.value))} />
      <div class="row-buttons">
        {test && smallest !== now && <button class="small" onClick={() => (step.value = smallest)}>{`Smallest test error: ${countText(leaves[smallest], "leaf", "leaves")}`}</button>}
        {now > 0 && <button class="small" onClick={() => (step.value = 0)}>Full tree</button>}
      </div>
      <p class="hint">{`${test ? "A size chosen by test rows makes their error optimistic. " : ""}Penalty per leaf (alpha): ${now === 0 ? "0" : number(alpha.value, 3)}.`}</p>
    </section>
  );
}
