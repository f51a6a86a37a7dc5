// The overview: all visible nodes as small rectangles with a frame around what is in sight; a drag moves the view.
import { useEffect, useRef } from "preact/hooks";
import type { Layout } from "./layout";
import type { TreeSource } from "./source";
import type { Size, View } from "./view";

const WIDTH = 160;
const HEIGHT = 100;
const PAD = 6;

interface MinimapProps {
  layout: Layout;
  source: TreeSource;
  view: View;
  size: Size;
  theme: string;
  onMove: (view: View) => void;
}

function scaleOf(layout: Layout): { scale: number; x: number; y: number } {
  const scale = Math.min((WIDTH - 2 * PAD) / layout.width, (HEIGHT - 2 * PAD) / layout.height);
  return { scale, x: (WIDTH - layout.width * scale) / 2 - layout.left * scale, y: (HEIGHT - layout.height * scale) / 2 - layout.top * scale };
}

// Canvas elements do not read CSS variables, so a color is resolved first.
export function resolved(color: string, style: CSSStyleDeclaration): string {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1];
  return name ? style.getPropertyValue(name).trim() : color;
}

function paint(canvas: HTMLCanvasElement, { layout, source, view, size }: MinimapProps) {
  const ratio = window.devicePixelRatio || 1;
  [canvas.width, canvas.height] = [WIDTH * ratio, HEIGHT * ratio];
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const style = getComputedStyle(document.documentElement);
  pen.scale(ratio, ratio);
  const { scale, x, y } = scaleOf(layout);
  const colors = new Map<string, string>();
  for (const { item, ...box } of layout.placed) {
    const color = item.group ? "var(--edge)" : source.color(item.node);
    if (!colors.has(color)) colors.set(color, resolved(color, style));
    pen.fillStyle = colors.get(color)!;
    pen.globalAlpha = source.childrenOf(item.node).length ? 0.5 : 0.9;
    pen.fillRect(box.x * scale + x, box.y * scale + y, Math.max(box.width * scale, 1), Math.max(box.height * scale, 1));
  }
  pen.globalAlpha = 1;
  pen.strokeStyle = resolved("var(--ink)", style);
  pen.lineWidth = 1.2;
  const [left, top] = [(-view.x / view.zoom) * scale + x, (-view.y / view.zoom) * scale + y];
  const [wide, tall] = [(size.width / view.zoom) * scale, (size.height / view.zoom) * scale];
  const [fromX, fromY] = [Math.max(left, 1), Math.max(top, 1)];
  pen.strokeRect(fromX, fromY, Math.max(Math.min(left + wide, WIDTH - 1) - fromX, 3), Math.max(Math.min(top + tall, HEIGHT - 1) - fromY, 3));
}

export function Minimap(properties: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { layout, source, view, size, theme, onMove } = properties;
  useEffect(() => paint(canvas.current!, properties), [layout, source, view, size, theme]);
  function moveTo(event: PointerEvent) {
    const box = canvas.current!.getBoundingClientRect();
    const { scale, x, y } = scaleOf(layout);
    const [atX, atY] = [(event.clientX - box.left - x) / scale, (event.clientY - box.top - y) / scale];
    onMove({ ...view, x: size.width / 2 - atX * view.zoom, y: size.height / 2 - atY * view.zoom });
  }
  return (
    <div class="minimap" aria-hidden="true">
      <canvas
        ref={canvas}
        width={WIDTH}
        height={HEIGHT}
        onPointerDown={(event) => { event.stopPropagation(); canvas.current!.setPointerCapture(event.pointerId); moveTo(event); }}
        onPointerMove={(event) => { event.stopPropagation(); if (event.buttons) moveTo(event); }}
      />
    </div>
  );
}
