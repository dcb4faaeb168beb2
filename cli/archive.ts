/**
 * `banca archive DB --out DIR [--until TIME|SEQ] [--json]`: the entries since the last archive in
 * DIR as a file, and a seal over it signed with the terminal's key. The ledger keeps them: an
 * archive is a copy. Exit 0 sealed, or nothing new; 1 the ledger does not hold; 2 cannot run.
 */
import { createHash, createPrivateKey } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { noteArchive } from '../host/pages/archived.ts';
import { seqAt } from '../host/pages/meters.ts';
import { restoreState } from '../host/table/terminal.ts';
import { readJsonFile } from '../ledger/chain/bounded-file.store.ts';
import { canonicalText } from '../ledger/chain/canonical.ts';
import { chainHash, decodeEntry, GENESIS_HASH, toHex } from '../ledger/chain/entry.codec.ts';
import { keyFromPrivate, keyIdOf, type LedgerKey, verifySignature } from '../ledger/chain/key.ts';
import { verifyLedger } from '../ledger/chain/verifier.store.ts';
import { KEY_FILE } from '../ledger/store/key.store.ts';
import { type LedgerReader, openLedgerReader } from '../ledger/store/ledger.store.ts';
import { CannotRun, DoesNotHold, readArguments, required } from './command.ts';
import { madeBy, madeBySchema } from './made-by.ts';
import { readMoment } from './moment.ts';
import { refuseWithoutStick } from './place.ts';
import { refuseFolder } from './read-ledger.ts';

const PAGE = 1000;
const SEAL = '.seal.json';
const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));

/** What the terminal signs: RFC 8785 text of this after the line `banca-archive-v1`. */
const sealedSchema = z.strictObject({
  terminal: z.string(),
  /** File beside the seal. */
  file: z.string().regex(/^[A-Za-z0-9._-]+$/),
  bytes: z.int().min(1),
  sha256: hex(32),
  firstSeq: z.int().min(1),
  lastSeq: z.int().min(1),
  /** Of the entry before the first; 32 zero bytes before entry 1. */
  previousHash: hex(32),
  firstHash: hex(32),
  lastHash: hex(32),
  firstAtMs: z.int(),
  lastAtMs: z.int(),
  /**
   * Rounds whose complaints were open after the last entry: their archive is not to be let go
   * before they are closed.
   */
  disputedRounds: z.array(z.int()),
  madeAtMs: z.int(),
  /** As it stood after the last entry; absent in archives of earlier versions. */
  made: madeBySchema.exactOptional(),
  keyId: hex(16),
});
type Sealed = z.infer<typeof sealedSchema>;
const sealSchema = z.strictObject({ sealed: sealedSchema, publicKey: hex(32), signature: hex(64) });
type Seal = z.infer<typeof sealSchema>;

const bytesOf = (sealed: Sealed): Uint8Array => Buffer.from(`banca-archive-v1\n${canonicalText(sealed)}`);

export function archive(argv: string[]): number {
  const { values, positionals } = readArguments(
    argv,
    { out: { type: 'string' }, until: { type: 'string' }, json: { type: 'boolean', default: false } },
    ['DB'],
  );
  const path = positionals[0]!;
  const out = required('--out DIR', values.out);
  const until = readMoment('until', values.until);
  refuseFolder(path);
  const report = verifyLedger(path);
  if (!report.ok)
    throw new DoesNotHold(`${path}: ${report.problem}: a ledger that does not hold is not archived`);
  const key = keyBeside(path);
  refuseWithoutStick(out);
  mkdirSync(out, { recursive: true });
  const reader = openLedgerReader(path);
  try {
    const before = sealsIn(out).at(-1)?.seal.sealed;
    if (before !== undefined && before.terminal !== reader.terminalId)
      throw new CannotRun(`${out} holds archives of ${before.terminal}, this is ${reader.terminalId}`);
    const previousHash = before?.lastHash ?? toHex(GENESIS_HASH);
    if (toHex(reader.hashAt(before?.lastSeq ?? 0) ?? new Uint8Array()) !== previousHash)
      throw new DoesNotHold(`entry ${before?.lastSeq} is another one in ${path} than in ${out}`);
    const firstSeq = (before?.lastSeq ?? 0) + 1;
    const lastSeq =
      until === null
        ? report.headSeq
        : 'seq' in until
          ? until.seq
          : seqAt(reader, report.headSeq, until.atMs);
    if (lastSeq > report.headSeq)
      throw new CannotRun(`--until ${lastSeq}: the ledger ends with ${report.headSeq}`);
    const seal = lastSeq < firstSeq ? null : make(reader, key, out, { firstSeq, lastSeq, previousHash });
    if (seal !== null) {
      const { lastHash, lastAtMs, madeAtMs } = seal.sealed;
      remind(path, { folder: resolve(out), lastSeq, lastHash, lastAtMs, madeAtMs });
    }
    if (values.json) console.log(JSON.stringify({ sealed: seal?.sealed ?? null }));
    else console.log(seal ? text(seal.sealed) : `Nothing new: ${out} reaches entry ${firstSeq - 1}.`);
    return 0;
  } finally {
    reader.close();
  }
}

const text = ({ file, firstSeq, lastSeq, bytes, disputedRounds }: Sealed): string =>
  `${file}: entries ${firstSeq} to ${lastSeq}, ${bytes} bytes` +
  (disputedRounds.length === 0 ? '' : `; open complaints of rounds ${disputedRounds.join(', ')}`);

/** An archive is one whether or not the page of storage can say so. */
function remind(path: string, archived: Parameters<typeof noteArchive>[1]): void {
  try {
    noteArchive(path, archived);
  } catch (error) {
    console.error(`service mode will not know of this archive: ${(error as Error).message}`);
  }
}

/**
 * The key signs where the terminal is; an archive without its terminal's name under it proves
 * nothing.
 */
export function keyBeside(path: string): LedgerKey {
  const file = join(dirname(path), KEY_FILE);
  try {
    return keyFromPrivate(createPrivateKey(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new CannotRun(`the key of the terminal seals an archive: ${file}: ${(error as Error).message}`);
  }
}

function make(
  reader: LedgerReader,
  key: LedgerKey,
  out: string,
  { firstSeq, lastSeq, previousHash }: { firstSeq: number; lastSeq: number; previousHash: string },
): Seal {
  const number = (seq: number): string => String(seq).padStart(9, '0');
  const name = `${reader.terminalId}-${number(firstSeq)}-${number(lastSeq)}`;
  const file = `${name}.jsonl`;
  const sum = createHash('sha256');
  let bytes = 0;
  writeWhole(join(out, file), (write) => {
    for (let from = firstSeq; from <= lastSeq; from += PAGE) {
      // The stored bytes stand in the line as they are, as in an export.
      const lines = reader
        .readBytes(from, Math.min(PAGE, lastSeq - from + 1))
        .map((row) => `{"hash":"${toHex(row.hash)}","entry":${row.bytes.toString()}}\n`);
      const chunk = Buffer.from(lines.join(''));
      sum.update(chunk);
      bytes += chunk.length;
      write(chunk);
    }
  });
  const { complaints } = restoreState(reader, lastSeq);
  const sealed: Sealed = {
    terminal: reader.terminalId,
    file,
    bytes,
    sha256: sum.digest('hex'),
    firstSeq,
    lastSeq,
    previousHash,
    firstHash: toHex(reader.hashAt(firstSeq)!),
    lastHash: toHex(reader.hashAt(lastSeq)!),
    firstAtMs: reader.read(firstSeq, 1)[0]!.atMs,
    lastAtMs: reader.read(lastSeq, 1)[0]!.atMs,
    disputedRounds: complaints.map(({ roundNo }) => roundNo),
    madeAtMs: Date.now(),
    made: madeBy(reader, lastSeq),
    keyId: key.keyId,
  };
  const seal: Seal = {
    sealed,
    publicKey: toHex(key.publicKey),
    signature: toHex(key.sign(bytesOf(sealed))),
  };
  // Last: a file without a seal is none, and is written again.
  writeWhole(join(out, name + SEAL), (write) => write(Buffer.from(`${JSON.stringify(seal, null, 2)}\n`)));
  return seal;
}

/** Under its name it is whole and on the disk. */
function writeWhole(path: string, work: (write: (chunk: Uint8Array) => void) => void): void {
  // One that was cut short may be left; a link that somebody has laid there is not followed.
  rmSync(`${path}.part`, { force: true });
  const fd = openSync(`${path}.part`, 'wx');
  try {
    work((chunk) => {
      for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done);
    });
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.part`, path);
}

interface Found {
  readonly path: string;
  readonly seal: Seal;
}

/** Seals of a folder by their first entry. */
const sealsIn = (dir: string): Found[] =>
  readdirSync(dir)
    .filter((name) => name.endsWith(SEAL))
    .map((name) => readSeal(join(dir, name)))
    .toSorted((a, b) => a.seal.sealed.firstSeq - b.seal.sealed.firstSeq);

function readSeal(path: string): Found {
  try {
    return { path, seal: sealSchema.parse(readJsonFile(path)) };
  } catch (error) {
    const what =
      error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : (error as Error).message;
    throw new DoesNotHold(`${path} is no seal: ${what}`);
  }
}

export interface ArchiveReport {
  readonly ok: boolean;
  /** Empty when they hold. */
  readonly problem: string;
  readonly archives: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly keyId: string;
}

/**
 * One seal with its file, or all of a folder and that each goes on where the one before it ends.
 * Without a known key everything is checked with the one that the seals name; but anybody could
 * have sealed then, so it does not hold.
 */
export function verifyArchive(path: string, known: Uint8Array | null): ArchiveReport {
  const found = statSync(path).isDirectory() ? sealsIn(path) : [readSeal(path)];
  if (found.length === 0) throw new CannotRun(`${path} holds no archive`);
  const first = found[0]!.seal;
  const publicKey = known ?? Buffer.from(first.publicKey, 'hex');
  const keyId = keyIdOf(publicKey);
  let problem = '';
  let before: Sealed | null = null;
  for (const { path: place, seal } of found) {
    problem = problemOf(place, seal, before, publicKey);
    if (problem !== '') break;
    before = seal.sealed;
  }
  if (problem === '' && known === null)
    problem = `the archives agree with themselves, but anybody could have made them: name the terminal's public key with --key, to be compared with ${keyId}, which has sealed`;
  return {
    ok: problem === '',
    problem,
    archives: found.length,
    firstSeq: first.sealed.firstSeq,
    lastSeq: before?.lastSeq ?? 0,
    keyId,
  };
}

function problemOf(
  place: string,
  { sealed, signature }: Seal,
  before: Sealed | null,
  publicKey: Uint8Array,
): string {
  const name = basename(place);
  if (sealed.keyId !== keyIdOf(publicKey))
    return `${name}: sealed with key ${sealed.keyId}, not ${keyIdOf(publicKey)}`;
  if (!verifySignature(publicKey, bytesOf(sealed), Buffer.from(signature, 'hex')))
    return `${name}: its signature does not hold`;
  if (before !== null && (before.lastSeq + 1 !== sealed.firstSeq || before.lastHash !== sealed.previousHash))
    return `${name}: does not go on where entry ${before.lastSeq} ends`;
  const path = join(dirname(place), sealed.file);
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined) return `${sealed.file} is gone`;
  if (!file.isFile() || file.size !== sealed.bytes) return `${sealed.file}: is not the file that was sealed`;
  const bytes = readFileSync(path);
  if (bytes.length !== sealed.bytes || createHash('sha256').update(bytes).digest('hex') !== sealed.sha256)
    return `${sealed.file}: is not the file that was sealed`;
  return chainProblem(bytes.toString(), sealed);
}

function chainProblem(
  lines: string,
  { file, terminal, firstSeq, lastSeq, previousHash, lastHash }: Sealed,
): string {
  let hash: Uint8Array = Buffer.from(previousHash, 'hex');
  let seq = firstSeq - 1;
  for (const line of lines.split('\n').slice(0, -1)) {
    const [, said, bytes] = /^\{"hash":"([0-9a-f]{64})","entry":(.*)\}$/.exec(line) ?? [];
    const decoded = bytes === undefined ? null : decodeEntry(bytes);
    seq += 1;
    if (!decoded?.ok || decoded.terminal !== terminal || decoded.fields.seq !== seq)
      return `${file}: entry ${seq} is not where it must be`;
    hash = chainHash(hash, bytes!);
    if (toHex(hash) !== said) return `${file}: entry ${seq} does not follow from the one before it`;
  }
  return seq === lastSeq && toHex(hash) === lastHash
    ? ''
    : `${file}: ends with entry ${seq}, not with ${lastSeq}`;
}
