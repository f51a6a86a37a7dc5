// Keys of the canvas: arrows follow the drawing.
import type { Layout, Placed } from "./layout";

export type Action = { kind: "select"; id: number } | { kind: "toggle"; id: number } | { kind: "zoom"; factor: number } | { kind: "fit" };

const STEPS: Record<"down" | "right", Record<string, "in" | "out" | "previous" | "next">> = {
  down: { ArrowDown: "in", ArrowUp: "out", ArrowLeft: "previous", ArrowRight: "next" },
  right: { ArrowRight: "in", ArrowLeft: "out", ArrowUp: "previous", ArrowDown: "next" },
};

// The nearest node of the same level on one side, or null.
function neighbor(layout: Layout, at: Placed, side: -1 | 1): Placed | null {
  for (let index = at.index + side; index >= 0 && index < layout.placed.length; index += side) {
    if (layout.placed[index].item.depth === at.item.depth) return layout.placed[index];
  }
  return null;
}

export function actionOf(key: string, layout: Layout, at: Placed, isInner: boolean): Action | null {
  const select = (to: Placed | null | undefined): Action | null => (to ? { kind: "select", id: to.item.id } : null);
  const step = STEPS[layout.direction][key];
  if (step === "in") return at.children.length ? select(at.children[0]) : isInner ? { kind: "toggle", id: at.item.id } : null;
  if (step === "out") return select(at.parent);
  if (step) return select(neighbor(layout, at, step === "next" ? 1 : -1));
  switch (key) {
    case "Home": return select(layout.placed[0]);
    case "End": return select(layout.placed[layout.placed.length - 1]);
    case "Enter":
    case " ": return isInner ? { kind: "toggle", id: at.item.id } : null;
    case "+": return { kind: "zoom", factor: 1.25 };
    case "-": return { kind: "zoom", factor: 0.8 };
    case "0": return { kind: "fit" };
    default: return null;
  }
}
