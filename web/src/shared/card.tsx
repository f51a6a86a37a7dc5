// One card of the canvas: a node, or a group of branches.
import { BarChart, HistogramChart } from "./charts";
import type { Item, Placed } from "./layout";
import { memo } from "./memo";
import type { TreeSource } from "./source";
import { count, countText, fitText, textWidth } from "./text";

export interface CardProps {
  at: Placed;
  source: TreeSource;
  isFull: boolean;
  isDown: boolean;
  isOpen: boolean;
  isSelected: boolean;
  isFound: boolean;
  isOnPath: boolean;
  isFocusable: boolean;
  onSelect: (id: number) => void;
  onToggle: (id: number) => void;
}

function Heading({ title, corner, width, size }: { title: string; corner: string; width: number; size: number }) {
  const taken = textWidth(corner, 11) + 8;
  return (
    <>
      <text class="title" font-size={size} x={10} y={17}>{fitText(title, width - 20 - taken, size, 600)}</text>
      <text class="quiet-text" x={width - 10} y={17} text-anchor="end">{corner}</text>
    </>
  );
}

function Contents({ source, at, isFull }: { source: TreeSource; at: Placed; isFull: boolean }) {
  const { width, item } = at;
  const card = source.card(item.node);
  const isInner = source.childrenOf(item.node).length > 0;
  const inside = width - 20;
  return (
    <>
      {card.tint && <rect width={width} height={at.height} rx={isInner ? 10 : 12} fill={card.tint.color} fill-opacity={card.tint.strength} pointer-events="none" />}
      <Heading title={card.title} corner={card.corner} width={width} size={isFull ? 12 : 11} />
      {!isFull && card.bar && <BarChart bar={card.bar} x={10} y={25} width={inside} height={5} />}
      {isFull && isInner && card.histogram && <HistogramChart histogram={card.histogram} x={10} y={28} width={inside} height={36} />}
      {isFull && isInner && !card.histogram && <text class="quiet-text" x={10} y={46}>{fitText(card.note, inside, 11)}</text>}
      {isFull && isInner && card.bar && <BarChart bar={card.bar} x={10} y={76} width={inside} height={6} />}
      {isFull && !isInner && card.bar && <BarChart bar={card.bar} x={10} y={27} width={inside} height={8} />}
      {isFull && !isInner && card.thinBar && <BarChart bar={card.thinBar} x={10} y={39} width={inside} height={4} />}
      {isFull && !isInner && card.note && <text class="note" x={10} y={59}>{fitText(card.note, inside, 10.5)}</text>}
      {card.hasWarning && <circle class="warning" cx={width - 2} cy={2} r={4} />}
    </>
  );
}

// The knob that opens and closes a node; at a closed node it has the number of leaves below.
function Knob({ at, source, isOpen, isDown, onToggle }: Pick<CardProps, "at" | "source" | "isOpen" | "isDown" | "onToggle">) {
  const label = isOpen ? "−" : `+ ${count(source.leavesBelow(at.item.node))}`;
  const wide = isOpen ? 16 : Math.max(textWidth(label, 10.5, 600) + 12, 20);
  const center = isDown ? [at.width / 2, at.height] : [at.width + (isOpen ? 0 : wide / 2 - 6), at.height / 2];
  return (
    <g class={isOpen ? "knob open" : "knob"} transform={`translate(${center[0]} ${center[1]})`} onClick={(event) => { event.stopPropagation(); onToggle(at.item.id); }} onDblClick={(event) => event.stopPropagation()}>
      <rect class="target" x={-Math.max(wide, 26) / 2} y={-13} width={Math.max(wide, 26)} height={26} />
      <rect class="pill" x={-wide / 2} y={-8} width={wide} height={16} rx={8} />
      <text text-anchor="middle" y={3.8}>{label}</text>
    </g>
  );
}

function groupLabel(item: Item): string {
  return item.isEmptyGroup ? `${item.group!.length} empty` : `${item.group!.length} more`;
}

export const CardView = memo<CardProps>((properties) => {
  const { at, source, isFull, isDown, isOpen, isSelected, isFocusable, onSelect, onToggle } = properties;
  const { item, width, height } = at;
  const isInner = !item.group && source.childrenOf(item.node).length > 0;
  const omitted = item.group || isInner ? 0 : source.omittedBelow(item.node);
  const label = item.group
    ? `${item.isEmptyGroup ? countText(item.group.length, "branch", "branches") + " without rows" : countText(item.group.length, "small branch", "small branches")}; Enter shows them`
    : source.card(item.node).label + (isInner && !isOpen ? `; closed, ${countText(source.leavesBelow(item.node), "leaf", "leaves")} below` : "");
  const siblings = at.parent?.children ?? [at];
  const marks = ["node", item.group && "group", isInner && !isOpen && "folded", isSelected && "selected", properties.isFound && "found", properties.isOnPath && "on-path"];
  const isToggle = isInner || !!item.group;
  return (
    <g
      class={marks.filter(Boolean).join(" ")}
      transform={`translate(${at.x} ${at.y})`}
      role="treeitem"
      tabindex={isFocusable ? 0 : -1}
      data-node={item.id}
      aria-level={item.depth + 1}
      aria-posinset={siblings.indexOf(at) + 1}
      aria-setsize={siblings.length}
      aria-expanded={isToggle ? isOpen : undefined}
      aria-selected={isSelected}
      aria-label={label.slice(0, 400)}
      onClick={() => (item.group ? onToggle(item.id) : onSelect(item.id))}
      onDblClick={() => isInner && onToggle(item.id)}
    >
      <title>{label.slice(0, 1200)}</title>
      {isInner && !isOpen && <rect class="stack" x={4} y={4} width={width} height={height} rx={10} />}
      <rect class="box" width={width} height={height} rx={isInner ? 10 : 12} />
      {item.group ? <text class="quiet-text" x={width / 2} y={19} text-anchor="middle">{groupLabel(item)}</text> : <Contents source={source} at={at} isFull={isFull} />}
      {isInner && <Knob at={at} source={source} isOpen={isOpen} isDown={isDown} onToggle={onToggle} />}
      {omitted > 0 && <text class="note" x={isDown ? 0 : width + 6} y={isDown ? height + 14 : height / 2 + 4}>{`+${count(omitted)} not in this file`}</text>}
    </g>
  );
});
