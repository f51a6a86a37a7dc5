// Metrics with intervals, and the ROC curve with threshold and prevalence.
import { useSignal } from "@preact/signals";
import { number, percent, truncate } from "../shared/text";
import { report, type RocValues } from "./values";

const SIDE = 300;
const Z = 1.959964;

export function Table({ caption, head, rows }: { caption?: string; head: string[]; rows: string[][] }) {
  return (
    <div class="scroll">
      <table>
        {caption && <caption>{caption}</caption>}
        <thead><tr>{head.map((cell, i) => <th key={i} scope="col">{cell}</th>)}</tr></thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>{row.map((cell, i) => (i === 0 ? <th key={i} scope="row">{cell}</th> : <td key={i}>{cell}</td>))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Wilson's interval of a fraction.
function wilson(fraction: number, n: number): string {
  if (!(n > 0)) return "";
  const middle = (fraction + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const reach = (Z / (1 + (Z * Z) / n)) * Math.sqrt((fraction * (1 - fraction)) / n + (Z * Z) / (4 * n * n));
  return `${(100 * Math.max(0, middle - reach)).toFixed(1)}% to ${(100 * Math.min(1, middle + reach)).toFixed(1)}%`;
}

function nearestHalf(curve: RocValues): number {
  let best = 1;
  curve.thresholds.forEach((at, i) => {
    if (at !== null && at >= 0.5) best = i;
  });
  return best;
}

export function Roc() {
  const which = useSignal(Math.max(report.roc.findIndex((each) => each.is_positive), 0));
  const curve = report.roc[which.value];
  const index = useSignal(nearestHalf(curve));
  const own = curve.positives / (curve.positives + curve.negatives);
  const prevalence = useSignal<number | null>(null);
  const at = Math.min(index.value, curve.thresholds.length - 1);
  const [sensitivity, falseRate] = [curve.true_rates[at], curve.false_rates[at]];
  const q = prevalence.value ?? own;
  const [truePositive, falsePositive] = [q * sensitivity, (1 - q) * falseRate];
  const ppv = truePositive + falsePositive > 0 ? truePositive / (truePositive + falsePositive) : null;
  const rest = (1 - q) * (1 - falseRate) + q * (1 - sensitivity);
  const npv = rest > 0 ? ((1 - q) * (1 - falseRate)) / rest : null;
  const rateText = (rate: number | null) => (rate === null ? "undefined" : `${(100 * rate).toFixed(1)}%`);
  const threshold = curve.thresholds[at];
  const points = curve.false_rates.map((x, i) => `${x * SIDE},${SIDE - curve.true_rates[i] * SIDE}`).join(" ");
  const of1000 = (fraction: number) => Math.round(1000 * fraction);
  return (
    <div class="roc">
      <figure>
        <svg viewBox={`-46 -12 ${SIDE + 62} ${SIDE + 60}`} width={SIDE + 62} height={SIDE + 60} role="img" aria-label={`ROC curve, ${curve.area}`}>
          {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
            <g key={tick} class="grid">
              <line x1={tick * SIDE} x2={tick * SIDE} y1={0} y2={SIDE} /><line x1={0} x2={SIDE} y1={tick * SIDE} y2={tick * SIDE} />
              <text x={tick * SIDE} y={SIDE + 15} text-anchor="middle">{tick}</text><text x={-6} y={SIDE - tick * SIDE + 4} text-anchor="end">{tick}</text>
            </g>
          ))}
          <line class="chance" x1={0} y1={SIDE} x2={SIDE} y2={0} />
          <polyline points={points} class="curve" />
          <circle cx={falseRate * SIDE} cy={SIDE - sensitivity * SIDE} r={6} class="point" />
          <text x={SIDE / 2} y={SIDE + 36} text-anchor="middle">1 − specificity</text>
          <text transform={`translate(-34 ${SIDE / 2}) rotate(-90)`} text-anchor="middle">sensitivity</text>
        </svg>
        <figcaption>{curve.area}</figcaption>
      </figure>
      <div>
        {report.roc.length > 1 && (
          <label>
            <span>positive class</span>
            <select value={String(which.value)} onChange={(event) => { which.value = Number(event.currentTarget.value); index.value = nearestHalf(report.roc[which.value]); prevalence.value = null; }}>
              {report.roc.map((each, i) => <option key={i} value={String(i)}>{truncate(each.label, 60)}</option>)}
            </select>
          </label>
        )}
        <label>
          <span>{`threshold: positive from a probability of ${threshold === null ? "more than 1" : number(threshold, 3)}`}</span>
          <input type="range" min={0} max={curve.thresholds.length - 1} value={at} onInput={(event) => (index.value = Number(event.currentTarget.value))} />
        </label>
        <label>
          <span>{`prevalence ${(100 * q).toFixed(1)}%${prevalence.value === null ? " (of these rows)" : ""}`}</span>
          <input type="range" min={0.001} max={0.999} step={0.001} value={q} onInput={(event) => (prevalence.value = Number(event.currentTarget.value))} />
        </label>
        <table aria-live="polite">
          <tbody>
            <tr><th scope="row">sensitivity</th><td>{rateText(sensitivity)}</td><td class="quiet">{wilson(sensitivity, curve.positives)}</td></tr>
            <tr><th scope="row">specificity</th><td>{rateText(1 - falseRate)}</td><td class="quiet">{wilson(1 - falseRate, curve.negatives)}</td></tr>
            <tr><th scope="row">PPV</th><td>{rateText(ppv)}</td><td class="quiet">at this prevalence</td></tr>
            <tr><th scope="row">NPV</th><td>{rateText(npv)}</td><td class="quiet">at this prevalence</td></tr>
          </tbody>
        </table>
        <p>
          {`Of 1,000 such rows, ${of1000(q)} are ${truncate(curve.label, 40)}: ${of1000(truePositive)} true positives and ${of1000(q * (1 - sensitivity))} false negatives. ` +
            `Of the ${of1000(1 - q)} others, ${of1000(falsePositive)} are false positives.`}
        </p>
      </div>
    </div>
  );
}

export function Importances() {
  return <Bars items={report.importances.slice(0, 30)} text={percent} />;
}

export function Bars({ items, text }: { items: [string, number][]; text: (value: number) => string }) {
  const most = Math.max(...items.map(([, value]) => value), 1e-300);
  return (
    <table class="classes wide">
      <tbody>
        {items.map(([name, value], i) => (
          <tr key={i}>
            <th scope="row">{name}</th>
            <td class="bar"><svg viewBox="0 0 220 10" preserveAspectRatio="none" aria-hidden="true"><rect class="wash" width="220" height="10" /><rect width={(220 * value) / most} height="10" class="fill" /></svg></td>
            <td>{text(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
