// Icons as lines on a grid of 16.

const PATHS = {
  search: "M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.4 10.4L14 14",
  fit: "M2.5 6V2.5H6M10 2.5h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10",
  turn: "M2.500 3h4v3.500h-4zM9.500 9.500h4V13h-4zM4.500 6.500v4.800h5",
  save: "M8 2.500v8M4.800 7.500L8 10.700l3.200-3.200M2.800 13.500h10.400",
  print: "M4.500 6V2.500h7V6M4.500 11.500h-2V6h11v5.500h-2M4.500 9.500h7v4h-7z",
  sun: "M8 5.200a2.800 2.800 0 1 1 0 5.600a2.800 2.800 0 0 1 0-5.600M8 1.500v1.500M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1 1M11.600 11.600l1 1M3.400 12.600l1-1M11.600 4.400l1-1",
  moon: "M13.200 9.600A5.600 5.600 0 0 1 6.400 2.800a5.600 5.600 0 1 0 6.800 6.800z",
  minus: "M3.500 8h9",
  plus: "M3.500 8h9M8 3.500v9",
  lock: "M4 7.500h8v6H4zM5.500 7.500V5.200a2.500 2.500 0 0 1 5 0v2.300",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d={PATHS[name]} /></svg>;
}

// The leaf of the project.
export function Leaf() {
  return (
    <svg class="leaf" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path class="blade" d="M10 1.500C13.500 4 15.200 7 15.200 10c0 3.400-2.200 5.600-5.200 6.200C7 15.600 4.800 13.400 4.800 10c0-3 1.700-6 5.200-8.500z" />
      <path class="vein" d="M10 4v15M10 8l2.600-2M10 8L7.400 6M10 11.200l3.200-2.400M10 11.200L6.800 8.800M10 14.200l2.800-2M10 14.200l-2.800-2" />
    </svg>
  );
}
