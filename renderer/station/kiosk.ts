/** Keys that reach a text field in service mode even with Ctrl. */
const EDITING = new Set(['a', 'c', 'v', 'x', 'z']);

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/**
 * Whether a key press is kept from the browser. In an app window Chromium reserves no shortcut, so
 * this stops all of them: function keys, everything with Ctrl, Alt or the logo key, the menu key,
 * the browser and media keys.
 */
export function isShortcut(press: KeyPress, inField: boolean): boolean {
  // With Shift the same letters are the developer tools' (Ctrl+Shift+C).
  const edits = press.ctrlKey && !press.altKey && !press.shiftKey && EDITING.has(press.key.toLowerCase());
  if (edits && inField) return false;
  if (press.ctrlKey || press.altKey || press.metaKey) return true;
  if (/^F\d{1,2}$/.test(press.key)) return true;
  return (
    press.key === 'ContextMenu' ||
    press.key === 'Escape' ||
    press.key.startsWith('Browser') ||
    press.key.startsWith('Launch') ||
    press.key.startsWith('Media')
  );
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea') !== null;

/**
 * Closes the ways out of the kiosk and the gestures that move the page. Stays for the life of the
 * page.
 */
export function closeKiosk(): void {
  const refuse = (event: Event): void => event.preventDefault();
  for (const type of ['contextmenu', 'dragstart', 'drop', 'dragover', 'gesturestart']) {
    addEventListener(type, refuse, { capture: true });
  }
  addEventListener('selectstart', (event) => {
    if (!isField(event.target)) event.preventDefault();
  });
  addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey) event.preventDefault();
    },
    { passive: false, capture: true },
  );
  addEventListener(
    'touchmove',
    (event) => {
      if (event.touches.length > 1) event.preventDefault();
    },
    { passive: false, capture: true },
  );
  // Not stopped, only prevented: our own listeners (Escape closes a dialog) still hear the key.
  for (const type of ['keydown', 'keyup'] as const) {
    addEventListener(
      type,
      (event) => {
        if (isShortcut(event, isField(event.target))) event.preventDefault();
      },
      { capture: true },
    );
  }
}

const RELOAD_MS = 3_000;

/** A page that lacks a part starts again instead of staying half a screen. */
export function startAnew(error: unknown): void {
  console.error(error);
  setTimeout(() => location.reload(), RELOAD_MS);
}
