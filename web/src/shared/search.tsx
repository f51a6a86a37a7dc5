// A search box with the number of hits, and buttons to the previous and the next.
import { useSignal } from "@preact/signals";
import { Icon } from "./icons";
import { count } from "./text";

interface SearchProps {
  find: (text: string) => number[];
  onHits: (hits: number[]) => void;
  onGo: (node: number) => void;
  label: string;
}

export function Search({ find, onHits, onGo, label }: SearchProps) {
  const hits = useSignal<number[]>([]);
  const at = useSignal(0);
  const text = useSignal("");
  function search(value: string) {
    text.value = value;
    hits.value = value.trim() ? find(value) : [];
    at.value = 0;
    onHits(hits.value);
    if (hits.value.length) onGo(hits.value[0]);
  }
  function step(by: number) {
    if (!hits.value.length) return;
    at.value = (at.value + by + hits.value.length) % hits.value.length;
    onGo(hits.value[at.value]);
  }
  const message = !text.value.trim() ? "" : hits.value.length ? `${count(at.value + 1)} of ${count(hits.value.length)}` : "none";
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        type="search"
        placeholder="Find"
        aria-label={label}
        value={text.value}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") search("");
          else return;
          event.preventDefault();
        }}
      />
      <output aria-live="polite">{message}</output>
      {hits.value.length > 1 && <button class="plain" aria-label="Previous hit" onClick={() => step(-1)}>‹</button>}
      {hits.value.length > 1 && <button class="plain" aria-label="Next hit" onClick={() => step(1)}>›</button>}
    </div>
  );
}
