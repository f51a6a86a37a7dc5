// The page: every section of the report, in reading order.
import { render } from "preact";
import { useSignal } from "@preact/signals";
import { facts } from "./facts";
import { RowsHere, rowsHeld } from "./rows";
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

const NO_CAUTIONS =
  "Looked for tiny leaves, near ties, rare branches, columns that give the answer away and rows that were seen before: nothing stood out.";

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
    ["scores", "Scores", facts.scores !== null],
    ["importances", "Importances", facts.importances.length > 0],
    ["rules", "Rules", true],
    ["questionnaire", "On paper", true],
    ["data", "Data", facts.data !== null],
    ["cautions", "Cautions", true],
    ["rerun", "Run it again", facts.rerun.length > 0],
  ];
  const has = (id: string) => parts.find(([part]) => part === id)![2];
  return (
    <>
      <header>
        <div>
          <h1>{facts.title}</h1>
          <p class="quiet">{facts.summary}</p>
        </div>
        <div class="buttons">
          <button onClick={() => (dark.value = !dark.value)}>{dark.value ? "light" : "dark"}</button>
          <button onClick={() => window.print()}>print</button>
        </div>
      </header>
      <nav aria-label="Sections">{parts.filter(([, , shown]) => shown).map(([id, heading]) => <a key={id} href={`#${id}`}>{heading}</a>)}</nav>
      <main>
        <Section id="tree" heading="The tree">
          <div class="split">
            <div><Explorer /><RowsHere /></div>
            <div class="side"><NodePanel /><Pruning /><WhatIf /></div>
          </div>
        </Section>
        {has("scores") && facts.scores && (
          <Section id="scores" heading="How good is it?">
            <p>{facts.scores.heading}</p>
            {facts.roc.length > 0 && <Roc />}
            <div class="tables">{facts.scores.tables.map((table, i) => <Table key={i} {...table} />)}</div>
            {facts.scores.reasons.length > 0 && <ul class="quiet">{facts.scores.reasons.map((each, i) => <li key={i}>{each}</li>)}</ul>}
          </Section>
        )}
        {has("importances") && (
          <Section id="importances" heading="Which columns matter?">
            <Importances />
          </Section>
        )}
        <Section id="rules" heading="The leaves as rules">
          <Rules />
        </Section>
        <Section id="questionnaire" heading="The tree as questions on paper">
          <p class="no-print"><button onClick={() => printOnly("questionnaire")}>print the questions alone</button></p>
          <Questionnaire />
        </Section>
        {has("data") && facts.data && (
          <Section id="data" heading="The data">
            <p>{facts.data.heading}</p>
            <Table head={["column", "role", "kind", "values", "missing", "why"]} rows={facts.data.rows} />
            {facts.rows.row.length > 0 && <p>{rowsHeld()}</p>}
            {facts.data.notes.length > 0 && <ul>{facts.data.notes.map((each, i) => <li key={i}>{each}</li>)}</ul>}
          </Section>
        )}
        {has("cautions") && (
          <Section id="cautions" heading="Cautions">
            {facts.cautions.length > 0 ? <ul>{facts.cautions.map((each, i) => <li key={i}>{each}</li>)}</ul> : <p>{NO_CAUTIONS}</p>}
          </Section>
        )}
        {has("rerun") && (
          <Section id="rerun" heading="Run it again">
            {facts.rerun.map(({ words, text }, i) => (
              <div key={i}><p>{words}</p><pre>{text}</pre></div>
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
