// Printing: long lists are whole on paper, up to a limit that the page states.
import { signal } from "@preact/signals";

export const isPrinting = signal(false);
export const MAX_PRINTED = 2000;

// Print the page, or one of its sections.
export function print(section?: string): void {
  isPrinting.value = true;
  requestAnimationFrame(() => setTimeout(() => {
    if (section) document.body.dataset.print = section;
    window.print();
    delete document.body.dataset.print;
    isPrinting.value = false;
  }));
}

// The number of items to draw: those on the screen, or as many as fit on paper.
export function drawn(shown: number): number {
  return isPrinting.value ? Math.max(shown, MAX_PRINTED) : shown;
}
