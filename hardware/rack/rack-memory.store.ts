import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { DeviceRack, type RackMemory, type RackOptions, rackMemory } from './rack.sim.ts';

/** Some ten thousand are usual. */
const MOST_BYTES = 2 ** 22;

/**
 * What the simulated devices kept in the file `path`; null where there is none yet. Throws an Error
 * that names the file and the first wrong place: devices that lost their memory must not pass for
 * new ones.
 */
export function readRackMemory(path: string): RackMemory | null {
  const damaged = (what: string): Error =>
    new Error(`${path}: the memory of the simulated devices cannot be used: ${what}`);
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > MOST_BYTES) throw new Error(`longer than ${MOST_BYTES} bytes`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw damaged((error as Error).message);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw damaged((error as Error).message);
  }
  const parsed = rackMemory.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw damaged(`${issue?.path.join('.') || 'file'}: ${issue?.message ?? 'not understood'}`);
  }
  return parsed.data;
}

/**
 * Writes the memory so that the file is always a whole one, the old or the new, also after a power
 * cut.
 */
export function writeRackMemory(path: string, memory: RackMemory): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(file, JSON.stringify(memory));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/**
 * A rack that starts from `path` and keeps its memory there; null = nowhere. Throws as
 * `readRackMemory`.
 */
export function openRack(path: string | null, options: RackOptions): DeviceRack {
  if (path === null) return new DeviceRack(options);
  const memory = readRackMemory(path);
  return new DeviceRack({
    ...options,
    ...(memory === null ? {} : { memory }),
    onKeep: (kept) => writeRackMemory(path, kept),
  });
}
