/**
 * Host and rack as one file each: a host that loads its modules one by one spends a second of
 * processor on every life.
 */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms } from '../../cli/build.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Writes both below `dir`. */
export async function makePrograms(dir: string): Promise<{ host: string; rack: string }> {
  const programs = join(dir, 'programs');
  await bundlePrograms(programs, {
    host: join(import.meta.dirname, 'host-under-test.ts'),
    rack: join(ROOT, 'hardware/rack/rack-main.ts'),
  });
  // The letters of printed slips lie there; without them a slip ends the host.
  symlinkSync(join(ROOT, 'assets'), join(dir, 'assets'));
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  return { host: join(programs, 'host.js'), rack: join(programs, 'rack.js') };
}
