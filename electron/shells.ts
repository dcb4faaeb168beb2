import { join } from 'node:path';
import type { ShellChoice } from './choose-shell.ts';
import { startChromium } from './chromium-main.ts';
import { startElectron } from './electron-shell.ts';
import type { Shell, ShellOptions } from './shell.ts';
import { setTouch, type TouchMatrix } from './touch.ts';

/** Opens the window that was chosen. */
export function openShell(
  root: string,
  choice: Exclude<ShellChoice, { readonly kind: 'none' }>,
  options: ShellOptions,
): Shell {
  const pane =
    choice.kind === 'electron'
      ? startElectron(choice.binary, join(root, 'build', 'electron', 'main.cjs'), options)
      : startChromium(choice.binary, options);
  const { log } = options.events;
  return Object.assign(pane, {
    touch: (matrix: TouchMatrix): void => {
      setTouch(options.place, matrix, log).catch((error: Error) => log(`touch: ${error.message.trim()}`));
    },
  });
}
