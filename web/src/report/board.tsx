// The board next to the tree: the main metric, and pruning with its curve.
import { useRef } from "preact/hooks";
import { count, countText, number } from "../shared/text";
import { report } from "./values";
import { alpha, curve, step } from "./state";
import type { CurvePoint } from "./curve";

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

const lossText = (value: number) => (report.is_class ? `${(100 * value).toFixed(1)}%` : number(value, 4));

// A position on the axis of leaves, which is logarithmic.
function scales(points: CurvePoint[]) {
  const most = Math.log2(Math.max(points[0].leaves, 2));
  const losses = points.flatMap((each) => [each.training, each.test ?? each.training]);
  const [low, high] = [Math.min(...losses, 0), Math.max(...losses, 1e-12)];
  return { x: (leaves: number) => (Math.log2(Math.max(leaves, 1)) / most) * WIDE, y: (loss: number) => TALL - ((loss - low) / (high - low)) * (TALL - 6) };
}

export function Pruning() {
  const points = curve.value;
  const frame = useRef<SVGSVGElement>(null);
  const last = points.length - 1;
  if (last < 1) return null;
  const { x, y } = scales(points);
  const now = points[step.value];
  const stride = Math.max(1, Math.floor(points.length / MAX_POINTS));
  const drawn = points.filter((_, i) => i % stride === 0 || i === last);
  const line = (of: (each: CurvePoint) => number) => drawn.map((each) => `${x(each.leaves).toFixed(1)},${y(of(each)).toFixed(1)}`).join(" ");
  const hasTest = now.test !== null;
  const best = hasTest ? points.reduce((at, each, i) => (each.test! < points[at].test! - 1e-12 || (each.test! <= points[at].test! + 1e-12 && i > at) ? i : at), 0) : -1;
  const toStep = (event: PointerEvent) => {
    if (event.type === "pointermove" && !event.buttons) return;
    const box = frame.current!.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * (WIDE + 8) - 4;
    step.value = points.reduce((found, each, i) => (Math.abs(x(each.leaves) - at) < Math.abs(x(points[found].leaves) - at) ? i : found), 0);
  };
  return (
    <section class="board-part" aria-label="Pruning">
      <h2>Prune</h2>
      <p class="prune-now" aria-live="polite"><b>{countText(now.leaves, "leaf", "leaves")}</b> <span class="quiet">{step.value === 0 ? "the full tree" : `of ${count(points[0].leaves)}`}</span></p>
      <table class="measures">
        <tbody>
          {hasTest && <tr><th scope="row"><i class="key test" />{report.is_class ? "test rows misclassified" : "test mean squared error"}</th><td><b>{lossText(now.test!)}</b></td></tr>}
          <tr><th scope="row"><i class="key training" />{report.is_class ? "training rows misclassified" : "training mean squared error"}</th><td>{lossText(now.training)}</td></tr>
        </tbody>
      </table>
      <svg ref={frame} class="prune-curve" viewBox={`-4 -4 ${WIDE + 8} ${TALL + 22}`} role="img" aria-label={`Error by the number of leaves; ${hasTest ? `the test error is smallest with ${countText(points[best].leaves, "leaf", "leaves")}` : "training rows only"}`} onPointerDown={toStep} onPointerMove={toStep}>
        <line class="base" x1={0} x2={WIDE} y1={TALL} y2={TALL} />
        <polyline class="training" points={line((each) => each.training)} />
        {hasTest && <polyline class="test" points={line((each) => each.test!)} />}
        {hasTest && <circle class="best" cx={x(points[best].leaves)} cy={y(points[best].test!)} r={4} />}
        <line class="now" x1={x(now.leaves)} x2={x(now.leaves)} y1={0} y2={TALL} />
        <circle class="now-dot" cx={x(now.leaves)} cy={y(now.test ?? now.training)} r={4} />
        <text x={0} y={TALL + 14}>1 leaf</text><text x={WIDE} y={TALL + 14} text-anchor="end">{count(points[0].leaves)}</text>
      </svg>
      <input type="range" min={0} max={last} value={last - step.value} aria-label="Leaves of the pruned tree" aria-valuetext={`${now.leaves} leaves`} onInput={(event) => (step.value = last - Number(event.currentTarget.value))} />
      <div class="row-buttons">
        {hasTest && best !== step.value && <button class="small" onClick={() => (step.value = best)}>{`Smallest test error: ${countText(points[best].leaves, "leaf", "leaves")}`}</button>}
        {step.value > 0 && <button class="small" onClick={() => (step.value = 0)}>Full tree</button>}
      </div>
      <p class="hint">{`${hasTest ? "A size chosen by test rows makes their error optimistic. " : ""}Penalty per leaf (alpha): ${step.value === 0 ? "0" : number(alpha.value, 3)}.`}</p>
    </section>
  );
}
