import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';

/**
 * Files of the window's browser, which keeps links and sockets there and never anything of the
 * terminal.
 */
const WINDOW = 'window';
/** Where the simulated devices listen. */
const SOCKETS = 'rack';
/** A disk of its own brings this folder, which is root's. */
const OF_THE_DISK = 'lost+found';

/**
 * What is wrong with a data folder, as a sentence; null = nothing. All in it must be plain files
 * and folders of this account: a link or a second name would have the terminal read or write
 * elsewhere, and a file of somebody else is theirs to change.
 */
export function wrongIn(folder: string): string | null {
  const root = realpathSync(folder);
  const uid = process.getuid!();
  /**
   * Files with more names than one, by inode: names that lie here are ours, as a power cut may
   * leave two.
   */
  const linked = new Map<string, { readonly path: string; missing: number }>();

  const wrongAt = (path: string, stat: Stats): string | null => {
    if (stat.isSymbolicLink()) return `${path} is a link`;
    const isSocket = stat.isSocket() && path.startsWith(join(root, SOCKETS) + sep);
    if (!stat.isFile() && !stat.isDirectory() && !isSocket) return `${path} is neither a file nor a folder`;
    if (stat.uid !== uid) return `${path} belongs to account ${stat.uid}, and the terminal runs as ${uid}`;
    if (stat.isFile() && stat.nlink > 1) {
      const inode = `${stat.dev} ${stat.ino}`;
      const seen = linked.get(inode) ?? { path, missing: stat.nlink };
      seen.missing -= 1;
      linked.set(inode, seen);
    }
    return null;
  };
  const wrongBelow = (at: string): string | null => {
    for (const { name } of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      // Gone since: nobody but this account can take anything away here.
      if (stat === undefined) continue;
      if (name === OF_THE_DISK && stat.isDirectory() && stat.uid === 0) continue;
      const wrong = wrongAt(path, stat);
      if (wrong !== null) return wrong;
      if (!stat.isDirectory() || path === join(root, WINDOW)) continue;
      const below = wrongBelow(path);
      if (below !== null) return below;
    }
    return null;
  };

  const wrong = wrongAt(root, lstatSync(root)) ?? wrongBelow(root);
  const elsewhere = [...linked.values()].find(({ missing }) => missing > 0);
  const found = wrong ?? (elsewhere ? `${elsewhere.path} has another name outside of the folder` : null);
  return found && `data folder: ${found}; it holds plain files and folders of the terminal's account only`;
}

/**
 * Where a witness is kept that nobody has given a place: not put back with a data folder, and this
 * account may write to it.
 */
export function defaultWitness(): string {
  if (process.getuid?.() === 0) return '/var/lib/banca-witness';
  const states = process.env['XDG_STATE_HOME'];
  return join(states?.startsWith('/') ? states : join(homedir(), '.local', 'state'), 'banca');
}
