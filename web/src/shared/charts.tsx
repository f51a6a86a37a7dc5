// Bars and histograms inside cards and panels.
import type { Bar, Histogram, Share } from "./source";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function BarChart({ bar, x, y, width, height }: { bar: Bar } & Box) {
  if (bar.kind === "shares") return <Shares parts={bar.parts} x={x} y={y} width={width} height={height} />;
  const { from, mean, until, color } = bar;
  return (
    <g>
      <rect class="track" x={x} y={y + height / 2 - 0.5} width={width} height={1} />
      <rect x={x + from * width} y={y} width={Math.max((until - from) * width, 1)} height={height} rx={height / 3} fill={color} fill-opacity={0.4} />
      <rect x={x + mean * width - 1} y={y - 1.5} width={2.5} height={height + 3} rx={1} fill={color} />
    </g>
  );
}

function Shares({ parts, x, y, width, height }: { parts: Share[] } & Box) {
  let at = x;
  return (
    <g>
      <rect class="wash" x={x} y={y} width={width} height={height} rx={height / 3} />
      {parts.map(({ color, share }, i) => {
        const start = at;
        at += share * width;
        // A hairline separates neighbors, so that classes differ not by color alone.
        return share > 0 ? <rect key={i} x={start} y={y} width={Math.max(share * width - (share < 1 ? 0.6 : 0), 0.6)} height={height} rx={Math.min(height / 3, (share * width) / 3)} fill={color} /> : null;
      })}
    </g>
  );
}

export function HistogramChart({ histogram, x, y, width, height }: { histogram: Histogram } & Box) {
  const { bins, isLevels, cuts } = histogram;
  const pitch = width / bins.length;
  const gap = isLevels ? Math.min(pitch * 0.22, 8) : Math.min(0.8, pitch * 0.15);
  return (
    <g>
      {bins.map((bin, i) => {
        let top = y + height;
        return bin.parts.map(({ color, share }, k) => {
          const tall = share * bin.height * height;
          top -= tall;
          return tall > 0 ? <rect key={`${i} ${k}`} x={x + i * pitch + gap / 2} y={top} width={Math.max(pitch - gap, 0.6)} height={tall} fill={color} fill-opacity={bin.isTail ? 0.45 : undefined} /> : null;
        });
      })}
      <line class="base" x1={x} x2={x + width} y1={y + height + 0.5} y2={y + height + 0.5} />
      {cuts.map((cut, i) => <line key={`c${i}`} class="cut" x1={x + cut * width} x2={x + cut * width} y1={y - 5} y2={y + height + 1} />)}
    </g>
  );
}
