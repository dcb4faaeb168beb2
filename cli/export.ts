/**
 * `banca export DB --out DIR [--json] [--progress]`: a ledger as plain files for people without
 * SQLite, a copy of it, its meters and events, the recordings beside it, and a signed manifest of
 * all of them, written last. Exit 0 the ledger holds, 1 it does not (the files are written and say
 * so), 2 cannot run. `--progress`: a line of JSON on stderr for each file.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isOnlyOurs } from '../host/pages/sticks.ts';
import type { VerifyReport } from '../ledger/chain/verifier.store.ts';
import { backupLedger } from '../ledger/copy/backup.store.ts';
import type { LedgerKey, LedgerReader } from '../ledger/store/ledger.store.ts';
import { keyBeside } from './archive.ts';
import { CannotRun, readArguments, required } from './command.ts';
import { type MadeBy, madeBy } from './made-by.ts';
import { LEDGER_COPY, MANIFEST, signedText, sumOf } from './manifest.ts';
import { refuseWithoutStick } from './place.ts';
import { PLAIN_FILES } from './plain-files.ts';
import { readLedger, refuseFolder } from './read-ledger.ts';

interface Written {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

const FLUSH_CHARACTERS = 1 << 16;
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** Writes a new file and names its hash. Throws when the file is there already. */
function writeNew(dir: string, name: string, parts: Iterable<string>): Written {
  const fd = openSync(join(dir, name), 'wx');
  const hash = createHash('sha256');
  let bytes = 0;
  let text = '';
  const flush = (): void => {
    const buffer = Buffer.from(text);
    for (let done = 0; done < buffer.length; ) done += writeSync(fd, buffer, done);
    hash.update(buffer);
    bytes += buffer.length;
    text = '';
  };
  try {
    for (const part of parts) {
      text += part;
      if (text.length > FLUSH_CHARACTERS) flush();
    }
    flush();
    // A stick may be pulled out as soon as it is said to be done.
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return { name, bytes, sha256: hash.digest('hex') };
}

function readme(
  reader: LedgerReader,
  report: VerifyReport,
  { program, table, languages }: MadeBy,
  files: readonly Written[],
): string {
  const { entries, headSeq, headHash, checkpoints, acknowledgedSeq } = report;
  const verdict = report.ok
    ? 'The ledger held when it was exported: chain, postings, checkpoints and signatures were checked.'
    : `THE LEDGER DID NOT HOLD when it was exported: ${report.problem}`;
  return `Export of the ledger of terminal ${reader.terminalId}

${verdict}
${entries} entries, the newest is ${headSeq} with hash ${headHash}; ${checkpoints} checkpoints; the centre has
everything up to entry ${acknowledgedSeq}.

Program  ${program === null ? 'none recorded' : `${program.version}, ${program.id}`}
Table    ${table === null ? 'none' : `${table.name}, ${table.rulebook}, ${table.sha256}`}
Languages ${languages.join(', ')}

The format is described in docs/ledger-format.md of the Banca software:
  entries.jsonl      one entry a line: its hash (hex) and, as member "entry", its stored bytes exactly (section 2);
                     the chain (section 3) is checked over the text between '"entry":' and the closing brace of the line
  postings.csv       the money of the entries, one posting a line, signed minor units (RFC 4180, UTF-8, UTC)
  checkpoints.jsonl  signed positions (section 5), hashes and signatures in hex
  keys.jsonl         the public keys (Ed25519, hex) that the signatures are checked with
  events.csv, .json  the entries with the codes, classes and names of docs/events.md
  meters.csv, .json  the meters of docs/meters.md after the newest entry, and the equations that do not hold
  ledger.db          the ledger itself, a whole copy for the same software
  recordings/        what the devices have said, where a technician has saved it
  manifest.json      size and SHA-256 of every file but itself, with the signature of the terminal:
                     \`banca verify --export DIR\` checks all of it

SHA-256 of each file, as sha256sum --check takes it:
${files.map(({ name, sha256 }) => `${sha256}  ${name}`).join('\n')}
`;
}

/** Null: an auditor's copy of a ledger has no key beside it. */
function keyOf(path: string): LedgerKey | null {
  try {
    return keyBeside(path);
  } catch {
    return null;
  }
}

/** What was recorded, of a file and not of what a link names. */
function textOf(path: string): string {
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW);
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/**
 * Makes the folder of an export, or takes an empty one. Who else owns it could lay links there for
 * what is written.
 */
function makeOrTake(dir: string): void {
  refuseWithoutStick(dir);
  if (!existsSync(dir)) mkdirSync(dir, { recursive: true, mode: 0o755 });
  const stat = statSync(dir);
  if (!stat.isDirectory() || readdirSync(dir).length > 0)
    throw new CannotRun(`--out ${dir}: there is something already; an export goes into a new directory`);
  if (!isOnlyOurs(dir))
    throw new CannotRun(
      `--out ${dir}: belongs to account ${stat.uid} or can be written by others; name a new one`,
    );
}

/** The names in a folder, on the disk. */
function syncFolder(dir: string): void {
  const fd = openSync(dir, O_RDONLY | O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

const recordingsOf = (path: string): string[] => {
  const folder = join(dirname(path), 'recordings');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^[A-Za-z0-9._-]+\.jsonl$/.test(name))
        .toSorted()
    : [];
};

export async function exportLedger(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    {
      out: { type: 'string' },
      json: { type: 'boolean', default: false },
      progress: { type: 'boolean', default: false },
    },
    ['DB'],
  );
  const path = positionals[0]!;
  const dir = required('--out DIR', values.out);
  refuseFolder(path);
  makeOrTake(dir);
  const recordings = recordingsOf(path);
  const count = 1 + Object.keys(PLAIN_FILES).length + recordings.length;
  const files: Written[] = [];
  const begins = (name: string): void => {
    if (values.progress) console.error(JSON.stringify({ file: name, no: files.length + 1, of: count }));
  };
  // The copy is what everything else is read from: one state of a ledger that is being written.
  const copy = join(dir, LEDGER_COPY);
  begins(LEDGER_COPY);
  const isCopied = await backupLedger(path, copy).then(
    () => true,
    () => false,
  );
  // Of a file that cannot be copied as a database the rest says what it can.
  if (!isCopied) rmSync(copy, { force: true });
  return readLedger('export', isCopied ? copy : path, (reader, report) => {
    if (isCopied) files.push({ name: LEDGER_COPY, ...sumOf(copy) });
    const write = (name: string, parts: () => Iterable<string>): void => {
      begins(name);
      files.push(writeNew(dir, name, parts()));
    };
    for (const [name, parts] of Object.entries(PLAIN_FILES)) write(name, () => parts(reader));
    if (recordings.length > 0) mkdirSync(join(dir, 'recordings'));
    for (const each of recordings) {
      const name = `recordings/${each}`;
      write(name, () => [textOf(join(dirname(path), name))]);
    }
    if (recordings.length > 0) syncFolder(join(dir, 'recordings'));
    const { ok, entries, headSeq, headHash } = report;
    const made = madeBy(reader, headSeq);
    const text = readme(reader, report, made, files);
    files.push(writeNew(dir, 'README.txt', [text]));
    // Last: without it this is no export.
    const manifest = {
      terminal: reader.terminalId,
      madeAtMs: Date.now(),
      headSeq,
      headHash,
      ok,
      made,
      files,
    };
    const key = keyOf(path);
    writeNew(dir, MANIFEST, [signedText(manifest, key)]);
    syncFolder(dir);
    if (values.json) {
      const keyId = key?.keyId ?? null;
      console.log(
        JSON.stringify({ ok, dir, terminal: reader.terminalId, entries, headSeq, headHash, keyId, files }),
      );
    } else {
      for (const { name, bytes, sha256 } of files) console.log(`${sha256}  ${name} (${bytes} bytes)`);
      console.log(
        `${entries} entries exported to ${dir}${key === null ? ', not signed: no key beside the ledger' : ''}`,
      );
    }
    return true;
  });
}
