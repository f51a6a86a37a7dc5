// The tree with its toolbar and legend.
import { useSignal } from "@preact/signals";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { TreeCanvas, type CanvasHandle } from "../shared/canvas";
import { Icon } from "../shared/icons";
import { save } from "../shared/save";
import { Search } from "../shared/search";
import { FONT, countText, percent, truncate } from "../shared/text";
import { firstView, type Size } from "../shared/view";
import { classColor, classFractions, report, size as treeSize } from "./values";
import { deepest, direction, find, fitKey, fold, found, level, notice, onPath, reveal, selected, showLevels, source, theme, toggle, turn } from "./state";

const LEGEND = 3;

function Legend() {
  const isOpen = useSignal(false);
  const root = classFractions(0);
  const order = report.classes.map((_, k) => k);
  const isMany = order.length > 8;
  if (isMany) order.sort((a, b) => root[b] - root[a]);
  const shown = isMany && !isOpen.value ? order.slice(0, LEGEND) : order;
  return (
    <ul class="legend" aria-label="Colors">
      {shown.map((k) => (
        <li key={k}><svg width="10" height="10" aria-hidden="true"><rect width="10" height="10" rx="3" fill={classColor(k)} /></svg>{truncate(report.classes[k], 28)} <span class="quiet">{percent(root[k])}</span></li>
      ))}
      {isMany && (
        <li>
          <svg width="10" height="10" aria-hidden="true"><rect width="10" height="10" rx="3" fill={classColor(-1)} /></svg>
          <button class="link-button" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>{isOpen.value ? "fewer" : `${order.length - LEGEND} others`}</button>
        </li>
      )}
    </ul>
  );
}

function Toolbar({ canvas }: { canvas: { current: CanvasHandle | null } }) {
  return (
    <div class="toolbar" role="toolbar" aria-label="Tree">
      <span class="group">
        <button class="square" onClick={() => showLevels(Math.min(level.value, deepest.value) - 1)} aria-label="One level less" title="One level less" disabled={level.value <= 0}><Icon name="minus" /></button>
        <output aria-live="polite">{`${Math.min(level.value, deepest.value)} of ${countText(deepest.value, "level")}`}</output>
        <button class="square" onClick={() => showLevels(level.value + 1)} aria-label="One level more" title="One level more" disabled={level.value >= deepest.value}><Icon name="plus" /></button>
      </span>
      <button class="square" onClick={() => canvas.current?.fit()} aria-label="Fit the tree into the window" title="Fit (0)"><Icon name="fit" /></button>
      <button class="square" onClick={turn} aria-label="Turn the tree" title="Turn the tree"><Icon name="turn" /></button>
      <button class="square" onClick={() => canvas.current?.exportAll((element) => save(element, FONT))} aria-label="Save as SVG" title="Save as SVG"><Icon name="save" /></button>
      {report.is_class && <Legend />}
      <span class="gap" />
      <Search find={find} label="Find columns, values and predictions" onHits={(hits) => (found.value = new Set(hits))} onGo={reveal} />
    </div>
  );
}

export function Explorer() {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSignal<Size | null>(null);
  const handle = useRef<CanvasHandle | null>(null);
  const isTouched = useRef(false);
  const arrange = (next: Size) => {
    const first = firstView(source.peek(), deepest.peek(), next);
    direction.value = first.direction;
    level.value = first.depth;
    fold.value = { open: first.open, ungrouped: new Set() };
    fitKey.value++;
  };
  useLayoutEffect(() => {
    const { width, height } = frame.current!.getBoundingClientRect();
    arrange({ width, height });
    size.value = { width, height };
  }, []);
  const resize = useCallback((next: Size) => {
    const before = size.peek();
    if (!before || (Math.abs(before.width - next.width) < 1 && Math.abs(before.height - next.height) < 1)) return;
    if (!isTouched.current && Math.abs(before.width - next.width) > 40) arrange(next);
    else fitKey.value = isTouched.current ? fitKey.value : fitKey.value + 1;
    size.value = next;
  }, []);
  return (
    <div class="explorer" onPointerDown={() => (isTouched.current = true)} onKeyDown={() => (isTouched.current = true)}>
      <Toolbar canvas={handle} />
      <div class="stage-frame" ref={frame}>
        {size.value && (
          <TreeCanvas
            source={source.value}
            fold={fold.value}
            direction={direction.value}
            selected={selected.value}
            found={found.value}
            path={onPath.value}
            theme={theme.value}
            fitKey={fitKey.value}
            size={size.value}
            handle={handle}
            label={`Tree of ${report.target}, ${countText(treeSize, "node")}`}
            onSelect={select}
            onToggle={toggle}
            onResize={resize}
          >
            {notice.value && <output class="toast" aria-live="polite">{notice.value}</output>}
          </TreeCanvas>
        )}
      </div>
    </div>
  );
}

const select = (node: number) => (selected.value = node);
