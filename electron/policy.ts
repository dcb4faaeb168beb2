/**
 * What the kiosk window may do, as pure decisions: tested without a browser, asked by the Electron
 * main process.
 */

/**
 * Origin of a terminal address; null when it is not plain http on 127.0.0.1 with a port of its own.
 */
export function terminalOrigin(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'http:' || parsed.hostname !== '127.0.0.1' || parsed.port === '') return null;
  if (parsed.username !== '' || parsed.password !== '') return null;
  return parsed.origin;
}

/**
 * The window shows the table's page at `origin` and nothing else. Files, other ports and other
 * pages are refused.
 */
export function mayNavigate(url: string, origin: string | null): boolean {
  return origin !== null && terminalOrigin(url) === origin && URL.parse(url)?.pathname === '/';
}

/**
 * Requests the page may make: its own origin over http and ws, and bytes it made itself (data:,
 * blob: of its origin).
 */
export function mayRequest(url: string, origin: string | null): boolean {
  const parsed = URL.parse(url);
  if (!parsed || origin === null) return false;
  switch (parsed.protocol) {
    case 'http:':
      return terminalOrigin(url) === origin;
    case 'ws:':
      return terminalOrigin(url.replace(/^ws:/i, 'http:')) === origin;
    case 'data:':
      return true;
    case 'blob:':
      return parsed.origin === origin;
    default:
      return false;
  }
}

/** The fields of Electron's `before-input-event` that decide. */
export interface KeyInput {
  readonly type: string;
  readonly key: string;
  readonly code: string;
  readonly control: boolean;
  readonly alt: boolean;
  readonly meta: boolean;
}

const BLOCKED_KEYS = new Set([
  'Escape',
  'ContextMenu',
  'BrowserBack',
  'BrowserForward',
  'BrowserRefresh',
  'BrowserHome',
  'BrowserSearch',
  'PrintScreen',
]);

/**
 * Accelerators a player must not reach: function keys, everything with Ctrl, Alt or Meta, Escape
 * and browser keys. Ctrl+Alt+Fn and SysRq never arrive here: they belong to the X server and the
 * kernel (see deploy/).
 */
export function blocksKey(input: KeyInput): boolean {
  if (input.type !== 'keyDown' && input.type !== 'rawKeyDown') return false;
  if (/^F([1-9]|1\d|2[0-4])$/.test(input.code)) return true;
  return input.control || input.alt || input.meta || BLOCKED_KEYS.has(input.key);
}
