/** Host and rack as one file each: a host that loads its modules one by one spends a second of processor on every life. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

export async function bundlePrograms(dir: string): Promise<{ host: string; rack: string }> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['better-sqlite3', 'usb'] },
    build: {
      ssr: true,
      outDir: join(dir, 'programs'),
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: {
          host: join(import.meta.dirname, 'host-under-test.ts'),
          rack: join(ROOT, 'hardware/rack/rack-main.ts'),
        },
        external: ['better-sqlite3', 'usb', /^node:/],
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  return { host: join(dir, 'programs/host.js'), rack: join(dir, 'programs/rack.js') };
}
