// Pointers on the canvas: one moves the view, two zoom it, the wheel with Ctrl zooms.
import { zoomAt, type View } from "./view";

const DRAG_FROM = 4; // pixels; less is a click

interface Finger {
  x: number;
  y: number;
}

export class Gestures {
  private readonly fingers = new Map<number, Finger>();
  private start: Finger | null = null;
  isDragging = false;

  constructor(private readonly element: () => Element, private readonly read: () => View, private readonly write: (view: View) => void) {}

  private at(event: MouseEvent): Finger {
    const box = this.element().getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  down(event: PointerEvent): void {
    if (event.button > 0) return;
    this.fingers.set(event.pointerId, this.at(event));
    this.start = this.at(event);
    this.isDragging = false;
  }

  move(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId);
    if (!before || (event.pointerType === "mouse" && !event.buttons)) return;
    const now = this.at(event);
    if (!this.isDragging && this.start && Math.hypot(now.x - this.start.x, now.y - this.start.y) < DRAG_FROM && this.fingers.size < 2) return;
    if (!this.isDragging) this.element().setPointerCapture(event.pointerId);
    this.isDragging = true;
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.fingers.set(event.pointerId, now);
    const view = this.read();
    if (!other) return this.write({ ...view, x: view.x + now.x - before.x, y: view.y + now.y - before.y });
    const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(Math.hypot(before.x - other.x, before.y - other.y), 1);
    this.write(zoomAt(view, factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }));
  }

  up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
  }

  wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.write(zoomAt(this.read(), Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), this.at(event)));
  }
}
