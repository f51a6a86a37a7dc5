// The tree as it is open now, as a self-contained SVG file with the page's colors.

const DRAWN = /^\.(chip|link|knob|track)\b/;
const SPACE = "http://www.w3.org/2000/svg";

// The style rules of nodes and links, with the values of their colors.
function rules(): string {
  const colors = getComputedStyle(document.documentElement);
  const out: string[] = [];
  for (const sheet of Array.from(document.styleSheets)) {
    for (const rule of Array.from(sheet.cssRules)) {
      if (rule instanceof CSSStyleRule && DRAWN.test(rule.selectorText)) out.push(rule.cssText);
    }
  }
  return out.join("\n").replace(/var\((--[a-z]+)\)/g, (_, name: string) => colors.getPropertyValue(name).trim());
}

export function asFile(canvas: SVGSVGElement): string {
  const colors = getComputedStyle(document.documentElement);
  const inside = canvas.querySelector<SVGGElement>("g")!;
  const box = inside.getBBox();
  const [width, height] = [box.width + 40, box.height + 40];
  const out = document.implementation.createDocument(SPACE, "svg", null);
  const root = out.documentElement;
  root.setAttribute("viewBox", `${box.x - 20} ${box.y - 20} ${width} ${height}`);
  root.setAttribute("width", String(Math.ceil(width)));
  root.setAttribute("height", String(Math.ceil(height)));
  root.setAttribute("font-family", "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif");
  const ground = out.createElementNS(SPACE, "rect");
  for (const [name, value] of Object.entries({ x: box.x - 20, y: box.y - 20, width, height })) ground.setAttribute(name, String(value));
  ground.setAttribute("fill", colors.getPropertyValue("--wash").trim());
  const copy = out.importNode(inside, true);
  copy.removeAttribute("transform");
  root.append(ground, copy);
  // The style is written into the text: the page's policy forbids styles on elements.
  const style = rules().replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return new XMLSerializer().serializeToString(out).replace(">", `><style>${style}</style>`);
}

export function save(canvas: SVGSVGElement): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([asFile(canvas)], { type: "image/svg+xml" }));
  link.download = "tree.svg";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
