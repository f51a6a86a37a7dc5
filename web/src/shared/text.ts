// Numbers and counts as text, and the width of text in pixels.

// Thousands are separated by commas; the functions of the locale are slow.
function grouped(text: string): string {
  const [whole, ...rest] = text.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}

// A number with few digits; commas from 10,000, so that years have none.
export function number(value: number, digits = 4): string {
  const rounded = Number(value.toPrecision(digits));
  const text = Math.abs(rounded) >= 1e4 && Math.abs(rounded) < 1e15 ? grouped(String(rounded)) : String(rounded);
  return text.replace("-", "−");
}

export function percent(fraction: number): string {
  if (fraction > 0 && fraction < 0.005) return "<1%";
  if (fraction >= 0.995 && fraction < 1) return ">99%";
  return `${Math.round(100 * fraction)}%`;
}

export function count(value: number): string {
  return value < 1000 && Number.isInteger(value) ? String(value) : grouped(String(Number(value.toFixed(2))));
}

export function countText(value: number, noun: string, many = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : many}`;
}

export function truncate(text: string, most: number): string {
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}

export const FONT = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';

const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

// The width of one line of text; estimated where there is no canvas.
export function textWidth(text: string, size: number, weight = 400): number {
  const key = `${size} ${weight} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (context === undefined) context = typeof document === "undefined" ? null : document.createElement("canvas").getContext?.("2d") ?? null;
    if (context) context.font = `${weight} ${size}px ${FONT}`;
    width = context ? context.measureText(truncate(text, 400)).width : Array.from(text).length * size * 0.56;
    if (widths.size > 20_000) widths.clear();
    widths.set(key, width);
  }
  return width;
}

// The text, or as many of its letters as fit with an ellipsis.
export function fitText(text: string, width: number, size: number, weight = 400): string {
  if (textWidth(text, size, weight) <= width) return text;
  const letters = Array.from(text);
  let [low, high] = [0, Math.min(letters.length, 300)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(`${letters.slice(0, middle).join("")}…`, size, weight) <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("")}…`;
}
