// The data that the tree canvas draws. The canvas gets nodes by number from a source and reports clicks by callbacks; it
// does not know where the tree comes from.

export interface Share {
  color: string;
  share: number;
}

// Fractions as one bar, or a mean with one standard deviation; positions are fractions of the width.
export type Bar = { kind: "shares"; parts: Share[] } | { kind: "spread"; from: number; mean: number; until: number; color: string };

export interface Bin {
  height: number; // fraction of the highest bin
  parts: Share[];
  isTail: boolean; // includes the values beyond the axis
}

export interface Histogram {
  bins: Bin[];
  isLevels: boolean; // one bin per level or branch
  cuts: number[]; // positions as fractions of the width
}

export interface Card {
  title: string;
  corner: string;
  bar: Bar | null;
  thinBar: Bar | null;
  note: string;
  histogram: Histogram | null;
  tint: { color: string; strength: number } | null;
  hasWarning: boolean;
  label: string; // for screen readers and the tooltip
}

export interface LinkText {
  parts: string[]; // levels, or one text
  isMissing: boolean; // missing values take this branch too
}

export interface TreeSource {
  childrenOf(node: number): readonly number[]; // none for a leaf
  parentOf(node: number): number;
  rows(node: number): number;
  leavesBelow(node: number): number;
  omittedBelow(node: number): number; // nodes that the file does not include
  heading(node: number): { title: string; corner: string };
  card(node: number): Card;
  link(child: number): LinkText;
  color(node: number): string; // of the node in the overview
  hasNotes: boolean; // cards of leaves have a thin bar and a note
}
