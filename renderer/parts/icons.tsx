/**
 * Line drawings of the few controls that have no room for a word; the button around each carries
 * the name.
 */
const PATHS = {
  bell: 'M12 3a6 6 0 0 0-6 6v4l-2 3h16l-2-3V9a6 6 0 0 0-6-6zM9.5 19a2.5 2.5 0 0 0 5 0',
  menu: 'M5 7h14M5 12h14M5 17h14',
  close: 'M6 6l12 12M18 6L6 18',
  erase: 'M9 6h11v12H9l-6-6zM12.5 9.5l5 5M17.5 9.5l-5 5',
  check: 'M4 13l5 5L20 6',
  next: 'M9 5l7 7-7 7',
  settings: 'M4 7h9M19 7h1M16 4v6M4 17h1M11 17h9M8 14v6',
  flag: 'M6 21V4M6 4h12l-3 4.5L18 13H6',
  back: 'M15 5l-7 7 7 7',
  play: 'M8 5l11 7-11 7z',
  pause: 'M9 5v14M15 5v14',
  first: 'M19 5l-9 7 9 7zM6 5v14',
  last: 'M5 5l9 7-9 7zM18 5v14',
  past: 'M4 12a8 8 0 1 0 3-6.2M3 4l1 5 5-1M12 8v4.5l3 2',
  fault: 'M13 3L6 13h5l-1 8 7-10h-5z',
  info: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM12 11v6M12 7.4v.4',
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
