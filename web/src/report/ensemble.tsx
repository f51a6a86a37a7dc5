// An ensemble: dependence on columns, contributions, calibration, errors by group, and the first of its trees.
import { number, truncate } from "../shared/text";
import { Bars, Table } from "./scores";
import { report, type EnsembleValues } from "./values";

const WIDE = 230;
const TALL = 110;

export function Ensemble() {
  const ensemble = report.ensemble!;
  return (
    <>
      <p>{ensemble.fidelity} The tree above, the rules and the questionnaire are this surrogate; metrics and the views below are those of the {ensemble.name}.</p>
      {ensemble.dependence.length > 0 && <h3>{`Mean prediction (${report.is_class ? `probability of ${ensemble.output}` : report.target}) as one column changes`}</h3>}
      <div class="plots">{ensemble.dependence.map((each) => <Dependence key={each.column} each={each} all={ensemble.dependence} />)}</div>
      {ensemble.calibration.length > 0 && <><h3>{`Calibration: predicted probability and observed fraction of ${ensemble.output}`}</h3><Calibration bins={ensemble.calibration} /></>}
      {ensemble.contributions.length > 0 && <><h3>{`Mean absolute contribution to ${ensemble.output} (Shapley values, ${ensemble.scale})`}</h3><Bars items={ensemble.contributions} text={(value) => number(value, 3)} /></>}
      {ensemble.groups.length > 0 && <><h3>Errors by group</h3><div class="tables">{ensemble.groups.map((table, i) => <Table key={i} {...table} />)}</div></>}
      <h3>Some of its trees, three levels of each</h3>
      {ensemble.trees.map(({ title, code }) => <details key={title}><summary>{title}</summary><pre class="wide">{code}</pre></details>)}
    </>
  );
}

type Curve = EnsembleValues["dependence"][number];

// All plots have one vertical axis, so that strong and weak columns differ in sight.
function Dependence({ each, all }: { each: Curve; all: Curve[] }) {
  const values = all.flatMap((curve) => curve.values);
  const [low, high] = [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
  const y = (value: number) => TALL - 4 - ((value - low) / (high - low || 1)) * (TALL - 12);
  const [from, to] = [each.grid[0], each.grid[each.grid.length - 1]];
  const x = (at: number) => ((at - from) / (to - from || 1)) * WIDE;
  const isLevels = each.labels.length > 0;
  const pitch = WIDE / Math.max(each.labels.length, 1);
  const ends = isLevels ? [each.labels[0], each.labels.length > 1 ? each.labels[each.labels.length - 1] : ""] : [number(from, 4), number(to, 4)];
  return (
    <figure>
      <figcaption><b>{each.column}</b></figcaption>
      <svg viewBox={`-36 -4 ${WIDE + 40} ${TALL + 22}`} role="img" aria-label={`Dependence on ${each.column}: ${number(each.values[0], 3)} to ${number(each.values[each.values.length - 1], 3)}`}>
        <line class="base" x1={0} x2={WIDE} y1={TALL} y2={TALL} />
        {[low, high].map((value) => <text key={value} x={-5} y={y(value) + 4} text-anchor="end">{number(value, 2)}</text>)}
        {isLevels
          ? each.values.map((value, i) => <g key={i}><rect class="fill" x={i * pitch + pitch * 0.15} width={pitch * 0.7} y={y(value)} height={TALL - y(value)}><title>{`${each.labels[i]}: ${number(value, 3)}`}</title></rect></g>)
          : <polyline class="curve" points={each.grid.map((at, i) => `${x(at).toFixed(1)},${y(each.values[i]).toFixed(1)}`).join(" ")} />}
        <text x={0} y={TALL + 14}>{truncate(ends[0], 16)}</text><text x={WIDE} y={TALL + 14} text-anchor="end">{truncate(ends[1], 16)}</text>
      </svg>
    </figure>
  );
}

function Calibration({ bins }: { bins: EnsembleValues["calibration"] }) {
  const side = 200;
  return (
    <svg class="calibration" viewBox={`-34 -8 ${side + 44} ${side + 42}`} role="img" aria-label="Calibration">
      <line class="chance" x1={0} y1={side} x2={side} y2={0} />
      <line class="base" x1={0} x2={side} y1={side} y2={side} /><line class="base" x1={0} x2={0} y1={0} y2={side} />
      {[0, 0.5, 1].map((tick) => <g key={tick}><text x={tick * side} y={side + 14} text-anchor="middle">{tick}</text><text x={-6} y={side - tick * side + 4} text-anchor="end">{tick}</text></g>)}
      {bins.map(([, , low, high], i) => <line key={i} class="interval" x1={bins[i][0] * side} x2={bins[i][0] * side} y1={side - low * side} y2={side - high * side} />)}
      <polyline class="curve" points={bins.map(([mean, observed]) => `${mean * side},${side - observed * side}`).join(" ")} />
      {bins.map(([mean, observed], i) => <circle key={i} class="dot" cx={mean * side} cy={side - observed * side} r={3.5} />)}
      <text x={side / 2} y={side + 29} text-anchor="middle">predicted</text>
    </svg>
  );
}
