// A component that is drawn again only if one of its properties changes.
import { Component, type ComponentChildren } from "preact";

export function memo<P extends object>(draw: (properties: P) => ComponentChildren) {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Record<string, unknown>;
      return Object.entries(next).some(([name, value]) => name !== "children" && before[name] !== value);
    }
    override render() {
      return draw(this.props as P);
    }
  };
}
