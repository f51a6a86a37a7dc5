// The page: every section of the report, in reading order.
import { render } from "preact";
import { useSignal } from "@preact/signals";
import { report } from "./values";
import { RowsHere, includedRows } from "./rows";
import { NodePanel, Pruning, WhatIf } from "./panels";
import { Questionnaire, Rules } from "./rules";
import { Importances, Roc, Table } from "./scores";
import { initialDepth, openTo } from "./state";
import { Explorer } from "./tree";

function Section({ id, heading, children }: { id: string; heading: string; children: preact.ComponentChildren }) {
  return (
    <section id={id} aria-labelledby={`${id}-h`}>
      <h2 id={`${id}-h`}>{heading}</h2>
      {children}
    </section>
  );
}

const NO_DIAGNOSTICS =
  "Checked for small leaves, near ties, small branches, columns that contain the target and test rows that are training rows: no problems found.";

function printOnly(what: string) {
  document.body.dataset.print = what;
  window.print();
  delete document.body.dataset.print;
}

function Page() {
  const dark = useSignal(matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark.value ? "dark" : "light";
  const parts: [string, string, boolean][] = [
    ["tree", "Tree", true],
    ["scores", "Metrics", report.scores !== null],
    ["importances", "Importance", report.importances.length > 0],
    ["rules", "Rules", true],
    ["questionnaire", "Questionnaire", true],
    ["data", "Data", report.data !== null],
    ["diagnostics", "Diagnostics", true],
    ["rerun", "Reproduce", report.rerun.length > 0],
  ];
  const has = (id: string) => parts.find(([part]) => part === id)![2];
  return (
    <>
      <header>
        <div>
          <h1>{report.title}</h1>
          <p class="quiet">{report.summary}</p>
        </div>
        <div class="buttons">
          <button onClick={() => (dark.value = !dark.value)}>{dark.value ? "light" : "dark"}</button>
          <button onClick={() => window.print()}>print</button>
        </div>
      </header>
      <nav aria-label="Sections">{parts.filter(([, , shown]) => shown).map(([id, heading]) => <a key={id} href={`#${id}`}>{heading}</a>)}</nav>
      <main>
        <Section id="tree" heading="Tree">
          <div class="split">
            <div><Explorer /><RowsHere /></div>
            <div class="side"><NodePanel /><Pruning /><WhatIf /></div>
          </div>
        </Section>
        {has("scores") && report.scores && (
          <Section id="scores" heading="Metrics">
            <p>{report.scores.heading}</p>
            {report.roc.length > 0 && <Roc />}
            <div class="tables">{report.scores.tables.map((table, i) => <Table key={i} {...table} />)}</div>
            {report.scores.reasons.length > 0 && <ul class="quiet">{report.scores.reasons.map((each, i) => <li key={i}>{each}</li>)}</ul>}
          </Section>
        )}
        {has("importances") && (
          <Section id="importances" heading="Importance of columns">
            <Importances />
          </Section>
        )}
        <Section id="rules" heading="Rules">
          <Rules />
        </Section>
        <Section id="questionnaire" heading="Questionnaire">
          <p class="no-print"><button onClick={() => printOnly("questionnaire")}>print the questionnaire only</button></p>
          <Questionnaire />
        </Section>
        {has("data") && report.data && (
          <Section id="data" heading="Data">
            <p>{report.data.heading}</p>
            <Table head={["column", "role", "kind", "values", "missing", "reason"]} rows={report.data.rows} />
            {report.rows.row.length > 0 && <p>{includedRows()}</p>}
            {report.data.notes.length > 0 && <ul>{report.data.notes.map((each, i) => <li key={i}>{each}</li>)}</ul>}
          </Section>
        )}
        {has("diagnostics") && (
          <Section id="diagnostics" heading="Diagnostics">
            {report.diagnostics.length > 0 ? <ul>{report.diagnostics.map((each, i) => <li key={i}>{each}</li>)}</ul> : <p>{NO_DIAGNOSTICS}</p>}
          </Section>
        )}
        {has("rerun") && (
          <Section id="rerun" heading="Reproduce">
            {report.rerun.map(({ title, code }, i) => (
              <div key={i}><p>{title}</p><pre>{code}</pre></div>
            ))}
          </Section>
        )}
      </main>
    </>
  );
}

openTo(initialDepth());
const root = document.getElementById("page")!;
root.textContent = "";
render(<Page />, root);
