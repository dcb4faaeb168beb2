/** Line drawings of the few controls that have no room for a word; the button around each carries the name. */
const PATHS = {
  bell: 'M12 3a6 6 0 0 0-6 6v4l-2 3h16l-2-3V9a6 6 0 0 0-6-6zM9.5 19a2.5 2.5 0 0 0 5 0',
  menu: 'M5 7h14M5 12h14M5 17h14',
  close: 'M6 6l12 12M18 6L6 18',
  erase: 'M9 6h11v12H9l-6-6zM12.5 9.5l5 5M17.5 9.5l-5 5',
  check: 'M4 13l5 5L20 6',
  next: 'M9 5l7 7-7 7',
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
