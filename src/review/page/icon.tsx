const paths = {
  missing: "M8 3v10M3 8h10",
  wrong: "M4 4l8 8M12 4l-8 8",
  type: "M3 5.5h9M9.5 3l2.5 2.5L9.5 8M13 10.5H4M6.5 8L4 10.5 6.5 13",
  boundary: "M3 3v10M13 3v10M5.5 8h5M5.5 8L7 6.5M5.5 8L7 9.5M10.5 8L9 6.5M10.5 8L9 9.5",
  accept: "M3 8.5l3.2 3.2L13 4.8",
  reject: "M4 4l8 8M12 4l-8 8",
  unsure: "M5.6 6a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2.9-1.2 1.8M8 12.4v.1",
  open: "M8 8v.01",
  undo: "M5.5 3L2.5 6l3 3M2.5 6H9a4 4 0 0 1 0 8H6",
  redo: "M10.5 3l3 3-3 3M13.5 6H7a4 4 0 0 0 0 8h3",
  save: "M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10",
  list: "M3 4h10M3 8h10M3 12h10",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3L14 14",
} as const;

export type IconName = keyof typeof paths;

/** A line drawing in the colour of the text around it; what it means is always said in words too. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
