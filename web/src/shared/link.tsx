// Links between cards, as wide as the fraction of rows that takes them, with the outcome of the question.
import type { Placed } from "./layout";
import { memo } from "./memo";
import type { LinkText, TreeSource } from "./source";
import { fitText, textWidth } from "./text";

const WIDEST = 11;
const MAX_LISTED = 8;

export function linkWidth(rows: number, all: number): number {
  return Math.max(1.4, WIDEST * Math.sqrt(rows / Math.max(all, 1)));
}

// The first levels that fit and the number of the others; never a list without its count.
export function briefLink({ parts }: LinkText, width: number): string {
  if (parts.length < 2) return fitText(parts[0] ?? "", width, 11);
  if (parts.length <= MAX_LISTED && textWidth(parts.join(", "), 11) <= width) return parts.join(", ");
  for (let shown = Math.min(parts.length - 1, MAX_LISTED); shown > 0; shown--) {
    const text = `${parts.slice(0, shown).join(", ")} +${parts.length - shown}`;
    if (textWidth(text, 11) <= width) return text;
  }
  const rest = ` +${parts.length - 1}`;
  return fitText(parts[0], width - textWidth(rest, 11), 11) + rest;
}

export function linkPath(at: Placed, isDown: boolean): string {
  const from = at.parent!;
  if (isDown) {
    const [x, y, toX, toY] = [from.x + from.width / 2, from.y + from.height, at.x + at.width / 2, at.y];
    const middle = y + (toY - y) * 0.45;
    return `M${x} ${y}C${x} ${middle} ${toX} ${middle} ${toX} ${toY}`;
  }
  const [x, y, toX, toY] = [from.x + from.width, from.y + from.height / 2, at.x, at.y + at.height / 2];
  const bend = Math.min((toX - x) * 0.5, 34);
  return `M${x} ${y}C${x + bend} ${y} ${x + bend * 0.3} ${toY} ${x + bend * 1.3} ${toY}H${toX}`;
}

interface LinkProps {
  at: Placed;
  source: TreeSource;
  isDown: boolean;
  isOnPath: boolean;
}

export const LinkView = memo<LinkProps>(({ at, source, isDown, isOnPath }) => {
  const { item } = at;
  const rows = item.group ? item.group.reduce((sum, node) => sum + source.rows(node), 0) : source.rows(item.node);
  const wide = linkWidth(rows, source.rows(0));
  const text = item.group ? null : source.link(item.node);
  const siblings = at.parent!.children;
  const isLeft = siblings.indexOf(at) < siblings.length / 2 && siblings.length > 1;
  const room = isDown ? Math.max(at.width / 2 + (siblings.length > 2 ? -8 : 6), 40) : at.x - at.parent!.x - at.parent!.width - 24;
  const place = isDown
    ? { x: at.x + at.width / 2 + (siblings.length > 2 ? 7 : isLeft ? -9 : 9), y: at.y - 7, "text-anchor": siblings.length > 2 || !isLeft ? "start" : "end" }
    : { x: at.x - 7, y: at.y + at.height / 2 - wide / 2 - 3.5, "text-anchor": "end" };
  return (
    <g class={isOnPath ? "link on-path" : "link"} aria-hidden="true">
      <path d={linkPath(at, isDown)} stroke-width={wide} />
      {text && (
        <text {...place}>
          {briefLink(text, room)}
          <title>{text.parts.join(", ") + (text.isMissing ? " (and missing values)" : "")}</title>
        </text>
      )}
    </g>
  );
});
