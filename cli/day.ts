/**
 * `banca day LEDGER.db --closings FILE [--key KEY] [--statement FILE] [--json]`: closings of gaming
 * days, as the centre signed them, held against a ledger of the table: signature, chain, and every
 * figure folded from its entries once more, the meters by the engine besides. `--centre URL
 * --password FILE --terminal ID` in place of the ledger reads the entries of the centre's database,
 * and in place of `--closings` its closings; `--save FILE` keeps those. `--statement` compares a
 * statement in CSV of one day of this table. Exit 0 equal, 1 not, 2 cannot run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { emptyMeters, type MeterFold, meterValue } from '../engine/accounting/meter-fold.ts';
import { initialState } from '../engine/engine.ts';
import { OpenedCards } from '../host/table/sealed-cards.ts';
import { chainHash, GENESIS_HASH, TERMINAL_ID, toHex } from '../ledger/chain/entry.codec.ts';
import {
  CLOSING_BOUNDS,
  type Closing,
  readClosing,
  type SignedClosing,
} from '../upstream/day/closing.codec.ts';
import { type Finding, type HashedEntry, recompute } from '../upstream/day/recompute.ts';
import { metersOf, statementCsv } from '../upstream/day/statement.ts';
import { basicOf, readPassword } from '../upstream/password.store.ts';
import { CannotRun, readArguments, required } from './command.ts';
import { readPublicKey } from './public-key.ts';
import { entriesOf, play, readLedger } from './read-ledger.ts';

const Signed = z.object({
  bytes: z.string().max(CLOSING_BOUNDS.characters),
  signature: z.string().regex(/^[0-9a-f]{128}$/),
  key: z.string().regex(/^[0-9a-f]{64}$/),
});
const Closings = z.object({ terminal: z.string().regex(TERMINAL_ID), closings: z.array(Signed) });
const Page = Closings.extend({ more: z.boolean() });
const Entries = z.object({ entries: z.array(z.object({ seq: z.int(), bytes: z.string() })) });
const Stored = z.object({
  seq: z.int(),
  atMs: z.int(),
  kind: z.string(),
  body: z.unknown(),
  postings: z.array(z.object({ account: z.string(), currency: z.string(), amountMinor: z.int() })),
});
type Given = z.infer<typeof Closings>;

/** Asks the centre as a program. */
type Ask = <T>(path: string, schema: z.ZodType<T>) => Promise<T>;

function asking(values: { centre?: string; password?: string; terminal?: string }): Ask {
  const terminal = required('--terminal', values.terminal);
  const base = `${required('--centre', values.centre).replace(/\/+$/, '')}/v1/terminals/${encodeURIComponent(terminal)}`;
  const authorization = basicOf(readPassword(required('--password', values.password)));
  return async (path, schema) => {
    const answer = await fetch(base + path, { headers: { authorization } }).catch((error: Error) => {
      throw new CannotRun(`${base}${path}: ${error.message}`);
    });
    if (!answer.ok) throw new CannotRun(`the centre refused: ${await answer.text()}`);
    return schema.parse(await answer.json());
  };
}

async function closingsAt(ask: Ask): Promise<Given> {
  const closings: SignedClosing[] = [];
  for (;;) {
    const page = await ask(`/closings?after=${closings.length}`, Page);
    closings.push(...page.closings.map(({ bytes, signature, key }) => ({ bytes, signature, key })));
    if (!page.more) return { terminal: page.terminal, closings };
  }
}

/** Entries of the centre's database; their hashes are reckoned here. */
async function* entriesAt(ask: Ask): AsyncGenerator<HashedEntry> {
  let hash: Uint8Array = GENESIS_HASH;
  for (let from = 1; ; ) {
    const { entries } = await ask(`/entries?from=${from}`, Entries);
    for (const { bytes } of entries) {
      hash = chainHash(hash, Buffer.from(bytes));
      yield { ...Stored.parse(JSON.parse(bytes)), hash: toHex(hash) };
    }
    if (entries.length === 0) return;
    from = entries.at(-1)!.seq + 1;
  }
}

function closingsIn(path: string): Given {
  try {
    return Closings.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new CannotRun(
      `--closings ${path}: not what the centre gives: ${(error as Error).message.split('\n')[0]}`,
    );
  }
}

export async function day(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    {
      closings: { type: 'string' },
      centre: { type: 'string' },
      password: { type: 'string' },
      terminal: { type: 'string' },
      key: { type: 'string' },
      save: { type: 'string' },
      statement: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    argv.some((word) => word === '--centre' || word.startsWith('--centre=')) ? [] : ['LEDGER.db'],
  );
  const key = readPublicKey('--key', values.key);
  const ask = values.centre === undefined ? null : asking(values);
  const given =
    values.closings !== undefined
      ? closingsIn(values.closings)
      : await closingsAt(ask ?? asking({ ...values, centre: required('--closings', undefined) }));
  if (given.closings.length === 0) throw new CannotRun('there is no closing yet');
  if (values.save !== undefined) writeFileSync(values.save, `${JSON.stringify(given)}\n`, { mode: 0o600 });
  const trusted = key === null ? null : toHex(key);
  const sayAll = ({ closings, findings }: Awaited<ReturnType<typeof recompute>>): boolean =>
    say(given, closings, [...findings, ...statementFindings(given, closings, values.statement)], {
      trusted,
      json: values.json,
    });
  const path = positionals[0];
  if (path === undefined)
    return sayAll(
      await recompute(given.closings, { terminal: given.terminal, trusted, entries: entriesAt(ask!) }),
    )
      ? 0
      : 1;
  return await readLedger('day', path, async (reader) => {
    const { terminalId: terminal } = reader;
    const at = new Map<number, Closing>();
    const found: Finding[] = [];
    const fold = emptyMeters();
    const state = initialState();
    const cards = new OpenedCards(reader);
    for (const closing of readable(given.closings)) at.set(closing.toSeq, closing);
    function* counted(): Generator<HashedEntry> {
      for (const entry of entriesOf(reader)) {
        play(state, entry, cards, fold);
        const closing = at.get(entry.seq);
        if (closing !== undefined) found.push(...byEngine(closing, fold));
        yield { ...entry, hash: toHex(entry.hash) };
      }
    }
    const done = await recompute(given.closings, { terminal, trusted, entries: counted() });
    return sayAll({ ...done, findings: [...done.findings, ...found] });
  });
}

/** Those that are closings at all; of the others `recompute` says why not. */
const readable = (signed: readonly SignedClosing[]): Closing[] =>
  signed.flatMap((each) => {
    try {
      return [readClosing(each)];
    } catch {
      return [];
    }
  });

/** The meters of a closing, as the engine counts them, which shares nothing with the centre's. */
function byEngine(closing: Closing, fold: MeterFold): Finding[] {
  return Object.entries(metersOf(closing)).flatMap(([code, value]) => {
    const byIt = meterValue(fold, code);
    return byIt === value
      ? []
      : [{ day: closing.day, what: `meter ${code} is ${value}, by the engine ${byIt}` }];
  });
}

/** Where a statement in CSV is not what these closings say. */
function statementFindings(given: Given, closings: readonly Closing[], path: string | undefined): Finding[] {
  if (path === undefined) return [];
  const stated = readFileSync(path, 'utf8').split('\r\n');
  const of = stated[1]?.split(',')[0] ?? '';
  const at = closings.findIndex(({ day: each }) => each === of);
  if (at === -1) return [{ day: null, what: `${path}: there is no closing of the day '${of}'` }];
  const made = statementCsv([given.closings[at]!]).split('\r\n');
  const line = Array.from({ length: Math.max(stated.length, made.length) }).findIndex(
    (_, i) => stated[i] !== made[i],
  );
  return line === -1
    ? []
    : [
        {
          day: of,
          what: `${path}, line ${line + 1} is ${stated[line] ?? 'missing'}, computed ${made[line] ?? 'nothing'}`,
        },
      ];
}

function say(
  given: Given,
  closings: readonly Closing[],
  findings: readonly Finding[],
  { trusted, json }: { readonly trusted: string | null; readonly json: boolean },
): boolean {
  const ok = findings.length === 0;
  const days = closings.map(({ no, day: of, toSeq }) => ({ no, day: of, toSeq }));
  if (json) {
    console.log(
      JSON.stringify({ ok, terminal: given.terminal, isTrusted: trusted !== null, days, findings }),
    );
    return ok;
  }
  for (const { no, day: of, toSeq } of days) {
    const own = findings.filter((finding) => finding.day === of);
    console.log(
      `${given.terminal} ${of} closing ${no}, up to entry ${toSeq}: ${own.length === 0 ? 'equal' : 'DIFFERS'}`,
    );
    for (const { what } of own) console.log(`  ${what}`);
  }
  for (const { what } of findings.filter((finding) => finding.day === null)) console.log(`PROBLEM ${what}`);
  const signed =
    trusted === null
      ? 'the key that each closing names; --key names the one to trust'
      : 'the key that was named';
  console.log(`${days.length} closings, ${findings.length} differences, signatures by ${signed}`);
  return ok;
}
