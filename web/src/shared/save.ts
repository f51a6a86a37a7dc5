// The drawing of a canvas as a self-contained SVG file with the page's colors.

const DRAWN = /^\.(node|link|knob|track|wash|base|cut|stack|dots|canvas|note|quiet-text|title|warning)\b/;
const SPACE = "http://www.w3.org/2000/svg";
const MARGIN = 20;

function resolveColors(text: string): string {
  const colors = getComputedStyle(document.documentElement);
  return text.replace(/var\((--[\w-]+)\)/g, (_, name: string) => colors.getPropertyValue(name).trim());
}

// The style rules of the drawing, with the values of their colors.
function rules(): string {
  const out: string[] = [];
  for (const sheet of Array.from(document.styleSheets)) {
    for (const rule of Array.from(sheet.cssRules)) {
      if (rule instanceof CSSStyleRule && DRAWN.test(rule.selectorText)) out.push(rule.cssText);
    }
  }
  return resolveColors(out.join("\n"));
}

export function asFile(canvas: SVGSVGElement, font: string): string {
  const inside = canvas.querySelector<SVGGElement>("g.drawing")!;
  const box = inside.getBBox();
  const [width, height] = [box.width + 2 * MARGIN, box.height + 2 * MARGIN];
  const out = document.implementation.createDocument(SPACE, "svg", null);
  const root = out.documentElement;
  root.setAttribute("viewBox", `${box.x - MARGIN} ${box.y - MARGIN} ${width} ${height}`);
  root.setAttribute("width", String(Math.ceil(width)));
  root.setAttribute("height", String(Math.ceil(height)));
  root.setAttribute("font-family", font);
  const ground = out.createElementNS(SPACE, "rect");
  for (const [name, value] of Object.entries({ x: box.x - MARGIN, y: box.y - MARGIN, width, height })) ground.setAttribute(name, String(value));
  ground.setAttribute("fill", resolveColors("var(--canvas)"));
  const copy = out.importNode(inside, true);
  root.append(ground, copy);
  // The style is written into the text: the page's policy forbids styles on elements.
  const style = rules().replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const text = new XMLSerializer().serializeToString(out).replace(">", `><style>${style}</style>`);
  return text.replace(/(fill|stroke)="(var\(--[\w-]+\))"/g, (_, name: string, color: string) => `${name}="${resolveColors(color)}"`);
}

export function save(canvas: SVGSVGElement, font: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([asFile(canvas, font)], { type: "image/svg+xml" }));
  link.download = "tree.svg";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
