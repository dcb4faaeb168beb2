import { join } from 'node:path';

/**
 * Socket paths of a rack inside its directory. Linux allows 107 bytes for such a path, so the
 * directory must be short.
 */
export const rackPaths = (dir: string) => ({
  acceptor: (number: number): string => join(dir, `acceptor-${number}.sock`),
  shoe: join(dir, 'shoe.sock'),
  printer: join(dir, 'printer.sock'),
  cabinet: join(dir, 'cabinet.sock'),
  ups: join(dir, 'ups.sock'),
  control: join(dir, 'control.sock'),
});
