// The tree canvas: cards, links and an overview; pan, zoom, folding and keys. Only what is in sight is drawn.
import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { CardView } from "./card";
import { Gestures } from "./gestures";
import { actionOf } from "./keys";
import { layOut, type Direction, type Fold, type Layout, type Placed } from "./layout";
import { LinkView, linkPath } from "./link";
import { Minimap } from "./minimap";
import type { TreeSource } from "./source";
import { DOTS_BELOW, fitView, fitZoom, isCardIn, isLinkIn, windowOf, withNode, zoomAt, type Size, type View } from "./view";

// In print all open nodes are drawn, as large as the page allows.
const paper = matchMedia("print");
const printing = signal(paper.matches);
paper.addEventListener("change", () => (printing.value = paper.matches));
const exporting = signal(false);

export interface CanvasHandle {
  fit: () => void;
  zoom: (factor: number) => void;
  exportAll: (use: (element: SVGSVGElement) => void) => void; // with all open nodes drawn
}

export interface CanvasProps {
  source: TreeSource;
  fold: Fold;
  direction: Direction;
  selected: number;
  found: ReadonlySet<number>;
  path: ReadonlySet<number>;
  label: string;
  theme: string;
  fitKey: unknown; // a new value fits the view
  size: Size;
  handle: { current: CanvasHandle | null };
  onSelect: (node: number) => void;
  onToggle: (id: number) => void;
  onResize: (size: Size) => void;
  children?: ComponentChildren;
}

const MIN_FIT = 0.5; // a fit after a change of levels is not smaller; the root is in sight then

export function TreeCanvas(properties: CanvasProps) {
  const { source, fold, direction, selected, size, fitKey, onSelect, onToggle } = properties;
  const frame = useRef<HTMLDivElement>(null);
  const sheet = useRef<SVGSVGElement>(null);
  const view = useSignal<View>({ x: 0, y: 0, zoom: 1 });
  const layout = useMemo(() => layOut(source, fold, direction), [source, fold, direction]);
  const fitted = useRef<unknown>(undefined);
  if (fitted.current !== fitKey || !view.peek()) {
    fitted.current = fitKey;
    view.value = fitView(layout, size, MIN_FIT);
  }
  const gestures = useMemo(() => new Gestures(() => frame.current!, () => view.peek(), (next) => (view.value = next)), []);
  const chosen = layout.byId.get(selected) ?? layout.placed[0];

  properties.handle.current = {
    fit: () => (view.value = fitView(layout, size)),
    zoom: (factor) => (view.value = zoomAt(view.peek(), factor, { x: size.width / 2, y: size.height / 2 })),
    exportAll: (use) => {
      exporting.value = true;
      requestAnimationFrame(() => {
        use(sheet.current!);
        exporting.value = false;
      });
    },
  };
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => {
      const { width, height } = frame.current!.getBoundingClientRect();
      if (width && height) properties.onResize({ width, height });
    });
    watch.observe(frame.current!);
    const wheel = (event: WheelEvent) => gestures.wheel(event);
    frame.current!.addEventListener("wheel", wheel, { passive: false });
    return () => watch.disconnect();
  }, []);
  // A selected node comes into sight; a node that opened keeps its place.
  const anchor = useRef<{ layout: Layout; selected: number }>({ layout, selected });
  useLayoutEffect(() => {
    const before = anchor.current.layout.byId.get(selected);
    if (anchor.current.layout !== layout && before && anchor.current.layout.direction === layout.direction && fitted.current === fitKey) {
      const { x, y, zoom } = view.peek();
      view.value = { x: x + (before.x - chosen.x) * zoom, y: y + (before.y - chosen.y) * zoom, zoom };
    }
    if (anchor.current.selected !== selected || anchor.current.layout !== layout) view.value = withNode(view.peek(), chosen, size);
    anchor.current = { layout, selected };
  }, [selected, layout]);

  const select = useCallback((id: number) => !gestures.isDragging && onSelect(id), []);
  const toggle = useCallback((id: number) => !gestures.isDragging && onToggle(id), []);
  const hasFocus = useRef(false);
  useEffect(() => {
    if (hasFocus.current) frame.current?.querySelector<SVGGElement>(`[data-node="${chosen.item.id}"]`)?.focus({ preventScroll: true });
  });

  function onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isInner = !!chosen.item.group || source.childrenOf(chosen.item.node).length > 0;
    const action = actionOf(event.key, layout, chosen, isInner);
    if (!action) return;
    event.preventDefault();
    hasFocus.current = true;
    if (action.kind === "select") onSelect(action.id);
    else if (action.kind === "toggle") onToggle(action.id);
    else if (action.kind === "zoom") properties.handle.current!.zoom(action.factor);
    else properties.handle.current!.fit();
  }

  const isPrint = printing.value;
  const { x, y, zoom } = view.value;
  const isWhole = zoom <= fitZoom(layout, size) * 1.001;
  return (
    <div class="stage">
      <div
        ref={frame}
        class="canvas"
        role="tree"
        aria-label={properties.label}
        onKeyDown={onKey}
        onFocusIn={() => (hasFocus.current = true)}
        onFocusOut={() => (hasFocus.current = false)}
        onPointerDown={(event) => gestures.down(event)}
        onPointerMove={(event) => gestures.move(event)}
        onPointerUp={(event) => gestures.up(event)}
        onPointerCancel={(event) => gestures.up(event)}
      >
        {/* A transform of the element needs no layout, one of its contents would lay out every text again. */}
        <svg
          ref={sheet}
          class="sheet"
          role="presentation"
          viewBox={isPrint ? `${layout.left - 10} ${layout.top - 14} ${layout.width + 130} ${layout.height + 30}` : undefined}
          style={{ transform: isPrint ? "" : `translate(${x}px, ${y}px) scale(${zoom})` }}
        >
          <g class="drawing">
            <Drawing {...properties} layout={layout} chosen={chosen} seen={isPrint || exporting.value ? null : view.value} select={select} toggle={toggle} />
          </g>
        </svg>
      </div>
      {!isPrint && !isWhole && <Minimap layout={layout} source={source} view={view.value} size={size} theme={properties.theme} onMove={(next) => (view.value = next)} />}
      {properties.children}
    </div>
  );
}

interface DrawingProps extends CanvasProps {
  layout: Layout;
  chosen: Placed;
  seen: View | null; // null: everything is drawn
  select: (id: number) => void;
  toggle: (id: number) => void;
}

function Drawing({ layout, chosen, seen, select, toggle, source, fold, found, path, selected, size }: DrawingProps) {
  const isDown = layout.direction === "down";
  const shown = seen ? windowOf(seen, size) : null;
  const links = layout.placed.filter((at) => at.parent && (!shown || isLinkIn(at, shown)));
  const isDots = seen !== null && seen.zoom < DOTS_BELOW;
  const cards = layout.placed.filter((at) => (!shown || isCardIn(at, shown)) && (!isDots || at === chosen || path.has(at.item.id) || found.has(at.item.id)));
  return (
    <>
      {isDots ? <Dots layout={layout} source={source} isDown={isDown} /> : links.map((at) => <LinkView key={`l${at.item.id}`} at={at} source={source} isDown={isDown} isOnPath={path.has(at.item.id)} />)}
      {cards.map((at) => (
        <CardView
          key={at.item.id}
          at={at}
          source={source}
          isFull={layout.isFull}
          isDown={isDown}
          isOpen={at.item.group === null && fold.open.has(at.item.node)}
          isSelected={at.item.id === selected}
          isFound={found.has(at.item.id)}
          isOnPath={path.has(at.item.id)}
          isFocusable={at === chosen}
          onSelect={select}
          onToggle={toggle}
        />
      ))}
    </>
  );
}

// Far away: one path for the links and one per color for the cards.
function Dots({ layout, source, isDown }: { layout: Layout; source: TreeSource; isDown: boolean }) {
  const { lines, boxes } = useMemo(() => {
    const byColor = new Map<string, string[]>();
    for (const { item, x, y, width, height } of layout.placed) {
      const color = item.group ? "var(--edge)" : source.color(item.node);
      if (!byColor.has(color)) byColor.set(color, []);
      byColor.get(color)!.push(`M${Math.round(x)} ${Math.round(y)}h${width}v${height}h${-width}z`);
    }
    return { lines: layout.placed.filter((at) => at.parent).map((at) => linkPath(at, isDown)).join(""), boxes: [...byColor].map(([color, paths]) => [color, paths.join("")]) };
  }, [layout, source]);
  return (
    <g class="dots" aria-hidden="true">
      <path class="lines" d={lines} />
      {boxes.map(([color, path]) => <path key={color} d={path} fill={color} />)}
    </g>
  );
}
