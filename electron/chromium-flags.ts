/**
 * Command line and preferences of Debian's Chromium as a kiosk. A test looks each flag up in the
 * installed binary.
 */

import { areaOf, type Place } from './place.ts';

export interface ChromiumFlagOptions {
  /** --user-data-dir */
  readonly profile: string;
  readonly mode: 'kiosk' | 'windowed' | 'headless';
  readonly size: { readonly width: number; readonly height: number };
  readonly place: Place;
  readonly gpu: boolean;
  readonly wayland: boolean;
  /** For tests only. */
  readonly debugPort: number | null;
}

const DISABLED_FEATURES = [
  'MediaRouter',
  'OptimizationHints',
  'OverscrollHistoryNavigation',
  'GlobalMediaControls',
  'Prewarm',
];

/**
 * Written into <profile>/Default/Preferences before the start: the switches that exist as
 * preferences only. The translate bubble stays away by this one; --disable-features=Translate does
 * not stop it in Chromium 156.
 */
export const PREFERENCES = {
  translate: { enabled: false },
  credentials_enable_service: false,
  profile: {
    password_manager_enabled: false,
    exit_type: 'Normal',
    exited_cleanly: true,
    default_content_setting_values: {
      notifications: 2,
      geolocation: 2,
      media_stream_mic: 2,
      media_stream_camera: 2,
      popups: 2,
      usb_guard: 2,
      serial_guard: 2,
      hid_guard: 2,
    },
  },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  download_restrictions: 3,
  printing: { enabled: false },
  browser: { has_seen_welcome_page: true },
} as const;

/**
 * What the window shows until it is sent to the table, in the colour of the felt's edge. The
 * table's address has a ticket in it and goes through the DevTools pipe: a command line can be read
 * by every account.
 */
export const FIRST_PAGE = 'data:text/html,<body style="background:%2306281d">';

/**
 * Every flag of one start. There is no --no-sandbox and no way to ask for it: the window never runs
 * as root.
 */
export function chromiumFlags(options: ChromiumFlagOptions): string[] {
  const { width, height, x, y } = areaOf(options.place) ?? { ...options.size, x: 0, y: 0 };
  const flags = [
    `--user-data-dir=${options.profile}`,
    `--window-size=${width},${height}`,
    `--window-position=${x},${y}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--noerrdialogs',
    '--disable-infobars',
    '--hide-crash-restore-bubble',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    '--disable-extensions',
    '--disable-default-apps',
    '--disable-notifications',
    '--disable-search-engine-choice-screen',
    '--disable-print-preview',
    // Touch: no pinch, no swipe back.
    '--disable-pinch',
    '--overscroll-history-navigation=0',
    '--touch-events=enabled',
    '--force-device-scale-factor=1',
    // A terminal must not slow down because it looks idle or covered.
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
    '--disable-hang-monitor',
    '--autoplay-policy=no-user-gesture-required',
    // Nothing leaves the machine.
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-domain-reliability',
    '--disable-quic',
    '--no-pings',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--no-proxy-server',
    '--disable-breakpad',
    '--password-store=basic',
    '--disk-cache-size=1048576',
    // Pipes, no port: the supervisor renews a crashed page through them, and the browser ends when
    // they close.
    '--remote-debugging-pipe',
  ];
  // Without a GPU the canvas renderer is faster than WebGL in software.
  if (!options.gpu) flags.push('--disable-gpu', '--disable-software-rasterizer');
  if (options.wayland) flags.push('--ozone-platform=wayland');
  if (options.mode === 'headless') flags.push('--headless', '--hide-scrollbars');
  if (options.mode === 'kiosk') flags.push('--kiosk');
  if (options.debugPort !== null)
    flags.push(`--remote-debugging-port=${options.debugPort}`, '--remote-allow-origins=http://127.0.0.1');
  // As an application: a headless browser window has a toolbar that takes 87 pixels of the page.
  flags.push(`--app=${FIRST_PAGE}`);
  return flags;
}
