// The page: the tree with its board and inspector first, then every other section of the report, in reading order.
import { effect, useSignal } from "@preact/signals";
import { render, type ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Icon, Leaf } from "../shared/icons";
import { Headline, Pruning, Surrogate } from "./board";
import { Ensemble } from "./ensemble";
import { Explorer } from "./explorer";
import { Inspector } from "./inspector";
import { print } from "./printing";
import { Questionnaire } from "./questionnaire";
import { RowsHere } from "./rows";
import { Rules } from "./rules";
import { Importances, Roc, Table } from "./scores";
import { selected, theme } from "./state";
import { report } from "./values";
import { WhatIf } from "./whatif";
import "./page.css";

const LONGEST_WAIT = 1000; // milliseconds
const NO_DIAGNOSTICS = "Checked for small leaves, near ties, small branches, columns that contain the target and test rows that are training rows: no problems found.";

interface Part {
  id: string;
  heading: string;
  isShown: boolean;
  draw: () => ComponentChildren;
}

const PARTS: Part[] = [
  { id: "scores", heading: "Metrics", isShown: report.scores !== null, draw: Scores },
  { id: "ensemble", heading: "Model", isShown: report.ensemble !== null, draw: () => <Ensemble /> },
  { id: "importances", heading: "Importance", isShown: report.importances.length > 0, draw: () => <Importances /> },
  { id: "rows", heading: "Rows", isShown: report.rows.row.length > 0, draw: () => <RowsHere key={selected.value} /> },
  { id: "rules", heading: "Rules", isShown: true, draw: () => <Rules /> },
  { id: "questionnaire", heading: "Questionnaire", isShown: true, draw: () => <><p class="no-print"><button onClick={() => print("questionnaire")}>print the questionnaire only</button></p><Questionnaire /></> },
  { id: "data", heading: "Data", isShown: true, draw: Data },
  { id: "diagnostics", heading: "Diagnostics", isShown: true, draw: () => (report.diagnostics.length ? <List items={report.diagnostics} /> : <p>{NO_DIAGNOSTICS}</p>) },
  { id: "card", heading: "Card", isShown: report.card.length > 0, draw: Card },
  { id: "rerun", heading: "Reproduce", isShown: report.rerun.length > 0, draw: () => report.rerun.map(({ title, code }, i) => <div key={i}><p>{title}</p><pre>{code}</pre></div>) },
];
const SHOWN = PARTS.filter((each) => each.isShown);

function List({ items }: { items: string[] }) {
  return <ul>{items.map((each, i) => <li key={i}>{each}</li>)}</ul>;
}

function Scores() {
  const scores = report.scores!;
  return (
    <>
      <p>{scores.heading}</p>
      {report.roc.length > 0 && <Roc />}
      <div class="tables">{scores.tables.map((table, i) => <Table key={i} {...table} />)}</div>
      {scores.reasons.length > 0 && <List items={scores.reasons} />}
    </>
  );
}

function Data() {
  return (
    <>
      {report.data && <p>{report.data.heading}</p>}
      {report.data && <Table head={["column", "role", "kind", "values", "missing", "reason"]} rows={report.data.rows} />}
      {report.data && report.data.notes.length > 0 && <List items={report.data.notes} />}
      <h3>What this file reveals</h3>
      <List items={report.privacy} />
    </>
  );
}

function Card() {
  return (
    <>
      <p>The complete model card, with metrics and columns, is written by hornbeam.card(model, table).</p>
      {report.card.map(({ title, sentences, head, rows }) => (
        <div key={title}>
          <h3>{title}</h3>
          {sentences.length > 0 && <List items={sentences} />}
          {rows.length > 0 && <Table head={head} rows={rows} />}
        </div>
      ))}
    </>
  );
}

function Header() {
  const isDark = theme.value === "dark";
  return (
    <header>
      <Leaf />
      <div class="titles">
        <h1>{report.title}</h1>
        <p class="quiet">{report.summary}</p>
      </div>
      <nav aria-label="Sections">
        <a href="#tree">Tree</a>
        {SHOWN.map(({ id, heading }) => <a key={id} href={`#${id}`}>{heading}</a>)}
      </nav>
      <div class="buttons">
        <button class="square" aria-label={isDark ? "Light colors" : "Dark colors"} title={isDark ? "Light colors" : "Dark colors"} onClick={() => (theme.value = isDark ? "light" : "dark")}><Icon name={isDark ? "sun" : "moon"} /></button>
        <button class="square" aria-label="Print" title="Print" onClick={() => print()}><Icon name="print" /></button>
      </div>
    </header>
  );
}

function Page() {
  // The tree is painted first, then what is next to it; the other sections follow one by one.
  const mounted = useSignal(-1);
  const isNext = mounted.value >= 0;
  useEffect(() => {
    if (!isNext) afterFirstPaint(() => (mounted.value = 0));
    else if (mounted.value < SHOWN.length) requestAnimationFrame(() => setTimeout(() => mounted.value++));
  }, [mounted.value]);
  return (
    <>
      <Header />
      <main aria-busy={mounted.value < SHOWN.length}>
        <section id="tree" class="bench" aria-label="Tree">
          <aside class="board"><Headline /><Surrogate />{isNext && <Pruning />}<Holds /></aside>
          <Explorer />
          <aside class="inspector">{isNext && <><Inspector /><WhatIf /></>}</aside>
        </section>
        <div class="sections">
          {SHOWN.map(({ id, heading, draw: Body }, i) => (
            <section key={id} id={id} aria-labelledby={`${id}-h`}>
              <h2 id={`${id}-h`}>{heading}</h2>
              {i < mounted.value && <Body />}
            </section>
          ))}
        </div>
      </main>
    </>
  );
}

// The next frame is not enough: work that begins before the first paint delays it.
function afterFirstPaint(then: () => void): void {
  let isDone = false;
  const once = () => {
    if (!isDone) then();
    isDone = true;
  };
  setTimeout(once, LONGEST_WAIT); // a page that is not visible is not painted
  if (PerformanceObserver.supportedEntryTypes?.includes("paint")) new PerformanceObserver(once).observe({ type: "paint", buffered: true });
  else requestAnimationFrame(() => setTimeout(once));
}

// Whether the file has rows of the data, in sight of the tree.
function Holds() {
  return <section class="board-part holds" aria-label="Privacy"><Icon name="lock" /><p>{report.privacy[0]} <a href="#data">Details</a></p></section>;
}

// The colors of classes are variables of the page; nine shades are those of a number from low to high.
effect(() => {
  const root = document.documentElement;
  root.dataset.theme = theme.value;
  report.colors[theme.value].forEach((color, k) => root.style.setProperty(`--class-${k}`, color));
  const color = report.number_color[theme.value];
  root.style.setProperty("--number", color);
  const ground = theme.value === "dark" ? "#1d2125" : "#ffffff";
  for (let at = 0; at <= 8; at++) root.style.setProperty(`--shade-${at}`, mix(ground, color, 0.25 + 0.75 * (at / 8)));
});

function mix(first: string, second: string, fraction: number): string {
  const part = (color: string, at: number) => parseInt(color.slice(at, at + 2), 16);
  return `#${[1, 3, 5].map((at) => Math.round(part(first, at) * (1 - fraction) + part(second, at) * fraction).toString(16).padStart(2, "0")).join("")}`;
}

const root = document.getElementById("page")!;
root.textContent = "";
render(<Page />, root);
