/**
 * `banca export DB --out DIR [--json]`: a ledger as plain files for people without SQLite. Exit 0 the ledger holds,
 * 1 it does not (the files are written and say so), 2 cannot run.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { toHex } from '../ledger/chain/entry.codec.ts';
import type { VerifyReport } from '../ledger/chain/verifier.store.ts';
import type { LedgerReader } from '../ledger/store/ledger.store.ts';
import { CannotRun, readArguments, required } from './command.ts';
import { entriesOf, readLedger } from './read-ledger.ts';

interface Written {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

const FLUSH_CHARACTERS = 1 << 16;
const PAGE = 1000;

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
  } finally {
    closeSync(fd);
  }
  return { name, bytes, sha256: hash.digest('hex') };
}

/** The stored bytes stand in the line as they are, so that the chain can be checked from this file alone. */
function* entryLines(reader: LedgerReader): Generator<string> {
  for (let from = 1; ; ) {
    const page = reader.readBytes(from, PAGE);
    for (const { bytes, hash } of page) yield `{"hash":"${toHex(hash)}","entry":${bytes.toString()}}\n`;
    const last = page.at(-1);
    if (!last) return;
    from = last.seq + 1;
  }
}

/** RFC 4180. */
const csvField = (value: string | number | null): string => {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csvLine = (fields: readonly (string | number | null)[]): string =>
  `${fields.map(csvField).join(',')}\r\n`;

function* postingLines(reader: LedgerReader): Generator<string> {
  yield csvLine(['seq', 'line', 'time', 'kind', 'round_id', 'account', 'currency', 'amount_minor']);
  for (const { seq, atMs, kind, roundId, postings } of entriesOf(reader)) {
    const time = new Date(atMs).toISOString();
    for (const [i, { account, currency, amountMinor }] of postings.entries())
      yield csvLine([seq, i + 1, time, kind, roundId, account, currency, amountMinor]);
  }
}

function* checkpointLines(reader: LedgerReader): Generator<string> {
  for (const { entryHash, stateHash, signature, ...rest } of reader.checkpoints())
    yield `${JSON.stringify({
      ...rest,
      entryHash: toHex(entryHash),
      stateHash: stateHash && toHex(stateHash),
      signature: toHex(signature),
    })}\n`;
}

function* keyLines(reader: LedgerReader): Generator<string> {
  for (const { keyId, publicKey } of reader.keys())
    yield `${JSON.stringify({ keyId, publicKey: toHex(publicKey) })}\n`;
}

function readme(reader: LedgerReader, report: VerifyReport, files: readonly Written[]): string {
  const { entries, headSeq, headHash, checkpoints, acknowledgedSeq } = report;
  const verdict = report.ok
    ? 'The ledger held when it was exported: chain, postings, checkpoints and signatures were checked.'
    : `THE LEDGER DID NOT HOLD when it was exported: ${report.problem}`;
  return `Export of the ledger of terminal ${reader.terminalId}

${verdict}
${entries} entries, the newest is ${headSeq} with hash ${headHash}; ${checkpoints} checkpoints; the centre has
everything up to entry ${acknowledgedSeq}.

The format is described in docs/ledger-format.md of the Banca software:
  entries.jsonl      one entry a line: its hash (hex) and, as member "entry", its stored bytes exactly (section 2);
                     the chain (section 3) is checked over the text between '"entry":' and the closing brace of the line
  postings.csv       the money of the entries, one posting a line, signed minor units (RFC 4180, UTF-8, UTC)
  checkpoints.jsonl  signed positions (section 5), hashes and signatures in hex
  keys.jsonl         the public keys (Ed25519, hex) that the signatures are checked with

SHA-256 of each file, as sha256sum --check takes it:
${files.map(({ name, sha256 }) => `${sha256}  ${name}`).join('\n')}
`;
}

export function exportLedger(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    { out: { type: 'string' }, json: { type: 'boolean', default: false } },
    ['DB'],
  );
  const dir = required('--out DIR', values.out);
  if (existsSync(dir) && (!statSync(dir).isDirectory() || readdirSync(dir).length > 0))
    throw new CannotRun(`--out ${dir}: there is something already; an export goes into a new directory`);
  return readLedger('export', positionals[0]!, (reader, report) => {
    mkdirSync(dir, { recursive: true });
    const files = [
      writeNew(dir, 'entries.jsonl', entryLines(reader)),
      writeNew(dir, 'postings.csv', postingLines(reader)),
      writeNew(dir, 'checkpoints.jsonl', checkpointLines(reader)),
      writeNew(dir, 'keys.jsonl', keyLines(reader)),
    ];
    writeNew(dir, 'README.txt', [readme(reader, report, files)]);
    const { ok, entries, headSeq, headHash } = report;
    if (values.json) {
      console.log(
        JSON.stringify({ ok, dir, terminal: reader.terminalId, entries, headSeq, headHash, files }),
      );
    } else {
      for (const { name, bytes, sha256 } of files) console.log(`${sha256}  ${name} (${bytes} bytes)`);
      console.log(`${entries} entries exported to ${dir}`);
    }
    return true;
  });
}
