import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface SideProgram {
  /**
   * A source, or what `npm run build` made of it where this host is built too (`PROGRAMS` in
   * cli/build.ts).
   */
  readonly program: 'host/drills/drill-main' | 'cli/banca';
  readonly args: readonly string[];
  /** The folder it works in; the host's unless it is given. */
  readonly cwd?: string;
  /** It is ended when it takes longer. */
  readonly mostMs: number;
  readonly onOut: (line: string) => void;
  readonly onError: (line: string) => void;
}

/**
 * Runs a program of this terminal beside the host, at low priority. `ended`: null where it ended
 * with 0, else why not; it ends with `stop` and with the host.
 */
export function runBeside(o: SideProgram): {
  readonly ended: Promise<string | null>;
  readonly stop: () => void;
} {
  // This file lies two folders deep, and built one, in `host` or `chunks`: sources run sources, and
  // what was built what was built.
  const { url } = import.meta;
  const kind = extname(url);
  const script = fileURLToPath(new URL(`${kind === '.ts' ? '../..' : '..'}/${o.program}${kind}`, url));
  const args = ['-n', '10', process.execPath, '--disable-sigusr1', script, ...o.args];
  const child = spawn('nice', args, { stdio: 'pipe', ...(o.cwd !== undefined && { cwd: o.cwd }) });
  const stop = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(stop, o.mostMs);
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', o.onOut);
  createInterface({ input: child.stderr }).on('line', o.onError);
  const ended = new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? null : `ended with ${signal ?? code}`));
  });
  void ended.then(() => clearTimeout(timer));
  return { ended, stop };
}
