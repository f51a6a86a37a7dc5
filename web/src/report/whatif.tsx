// What if: values of a row, its prediction and its path; columns on the path first.
import { useSignal } from "@preact/signals";
import { number, percent, truncate } from "../shared/text";
import { columnsOfPath } from "./columns";
import { linkCondition, report, rowsText } from "./values";
import { follow, isLeaf, reveal, row, showsPath, walked } from "./state";
import { ROUTING_TEXT } from "./walk";

const MAX_OPTIONS = 300;
const FEW = 7;

function Field({ index }: { index: number }) {
  const column = report.columns[index];
  const value = row.value[index];
  const set = (next: number | null) => {
    row.value = row.value.map((old, i) => (i === index ? next : old));
    showsPath.value = true;
  };
  const name = truncate(column.name, 80);
  const [low, high] = [column.low ?? 0, column.high ?? 1];
  return (
    <div class="field">
      <label for={`field-${index}`} title={name}>{name}</label>
      {column.kind === "numeric" ? (
        <>
          <input type="range" min={low} max={high} step="any" value={value ?? low} aria-label={`${name}, slider`} onInput={(event) => set(Number(Number(event.currentTarget.value).toPrecision(4)))} />
          <input id={`field-${index}`} type="number" step="any" value={value ?? ""} placeholder="missing" onInput={(event) => set(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))} />
        </>
      ) : (
        <select id={`field-${index}`} value={value === null ? "" : String(value)} onChange={(event) => set(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}>
          <option value="">missing</option>
          {column.levels.slice(0, 2000).map((name, code) => <option key={code} value={String(code)}>{truncate(name, 60)}</option>)}
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
      {Array.from({ length: Math.min(to - from, MAX_OPTIONS) }, (_, i) => from + i).map((at) => <option key={at} value={String(at)}>{`row ${rowOf[at]}: ${truncate(target[at], 30)}`}</option>)}
    </optgroup>
  );
}

export function WhatIf() {
  const isOpen = useSignal(false);
  const { path, steps, values } = walked.value;
  const end = path[path.length - 1];
  const best = values.indexOf(Math.max(...values));
  const first = columnsOfPath(end, isLeaf.value(end));
  const others = report.columns.map((_, index) => index).filter((index) => report.columns[index].is_used && !first.includes(index));
  const all = [...first, ...others];
  const shown = isOpen.value || all.length <= FEW + 2 ? all : all.slice(0, FEW);
  return (
    <section class="pane" aria-label="What if">
      <div class="pane-head">
        <h2>{report.ensemble ? "What if, by the surrogate" : "What if"}</h2>
        {report.rows.row.length > 0 && (
          <select aria-label="Values of a row" onChange={(event) => event.currentTarget.value !== "" && follow(Number(event.currentTarget.value))}>
            <option value="">typical values</option>
            <RowOptions label="test rows" from={0} to={report.rows.n_test} />
            <RowOptions label="training rows" from={report.rows.n_test} to={report.rows.row.length} />
          </select>
        )}
        <button class="small" aria-pressed={showsPath.value} onClick={() => { showsPath.value = !showsPath.value; if (showsPath.value) reveal(end); }}>Show the path</button>
      </div>
      <p class="row-prediction" aria-live="polite">
        {report.is_class ? `${report.classes[best]}, ${percent(values[best])}` : number(values[0], 5)}
        <span class="quiet">{` at node ${end} (${rowsText(end)})`}</span>
      </p>
      <div class="fields">{shown.map((index) => <Field key={index} index={index} />)}</div>
      {all.length > shown.length && <button class="link-button" onClick={() => (isOpen.value = true)}>{`${all.length - shown.length} more columns`}</button>}
      <details>
        <summary>{`The path: ${path.length - 1} ${path.length === 2 ? "question" : "questions"}`}</summary>
        <ol class="path">{path.slice(1).map((at, i) => <li key={at}>{linkCondition(at)}{ROUTING_TEXT[steps[i]] && <span class="quiet">{` (${ROUTING_TEXT[steps[i]]})`}</span>}</li>)}</ol>
      </details>
    </section>
  );
}
