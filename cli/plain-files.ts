/**
 * What an export has of a ledger for people without SQLite: entries, money, events and meters as
 * text.
 */
import { brokenEquations } from '../engine/accounting/meter-equations.ts';
import { emptyMeters, metersOf } from '../engine/accounting/meter-fold.ts';
import { initialState } from '../engine/engine.ts';
import { codesOf } from '../host/pages/event-codes.ts';
import { linkMeters } from '../host/pages/meters.ts';
import { OpenedCards } from '../host/table/sealed-cards.ts';
import { csvJson, csvLine } from '../ledger/chain/csv.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import type { LedgerReader } from '../ledger/store/ledger.store.ts';
import { rowOf } from '../wire/event-catalogue.ts';
import { entriesOf, play, Unplayable } from './read-ledger.ts';

const PAGE = 1000;

/**
 * The stored bytes stand in the line as they are, so that the chain can be checked from this file
 * alone.
 */
function* entryLines(reader: LedgerReader): Generator<string> {
  for (let from = 1; ; ) {
    const page = reader.readBytes(from, PAGE);
    for (const { bytes, hash } of page) yield `{"hash":"${toHex(hash)}","entry":${bytes.toString()}}\n`;
    const last = page.at(-1);
    if (!last) return;
    from = last.seq + 1;
  }
}

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

/** Codes and names of an event as docs/events.md has them; an entry that is none has neither. */
function* eventLines(reader: LedgerReader): Generator<string> {
  yield csvLine(['seq', 'time', 'codes', 'classes', 'names', 'kind', 'round_id', 'body']);
  const cards = new OpenedCards(reader);
  for (const entry of entriesOf(reader)) {
    const codes = codesOf(entry);
    yield csvLine([
      entry.seq,
      new Date(entry.atMs).toISOString(),
      codes.map(({ code }) => code).join(' '),
      codes.map((each) => each.class).join(' '),
      codes.map(({ code }) => rowOf(code).name.en).join('; '),
      entry.kind,
      entry.roundId,
      csvJson(cards.in(entry).body),
    ]);
  }
}

function* eventJson(reader: LedgerReader): Generator<string> {
  let before = '[\n';
  const cards = new OpenedCards(reader);
  for (const entry of entriesOf(reader)) {
    const { seq, atMs, kind, roundId } = entry;
    const { body } = cards.in(entry);
    const codes = codesOf(entry).map(({ code, class: cls }) => ({
      code,
      class: cls,
      name: rowOf(code).name,
    }));
    yield before + JSON.stringify({ seq, atMs, codes, kind, roundId, body });
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** All meters after the newest entry: two files of what is played once. */
const metersIn = (reader: LedgerReader): ReturnType<typeof countedIn> => {
  const counted = known.get(reader) ?? countedIn(reader);
  known.set(reader, counted);
  return counted;
};
const known = new WeakMap<LedgerReader, ReturnType<typeof countedIn>>();

function countedIn(reader: LedgerReader) {
  const fold = emptyMeters();
  const state = initialState();
  const cards = new OpenedCards(reader);
  let asOf = { seq: 0, atMs: 0 };
  const problems: string[] = [];
  try {
    for (const entry of entriesOf(reader)) {
      play(state, entry, cards, fold);
      asOf = { seq: entry.seq, atMs: entry.atMs };
    }
    problems.push(...brokenEquations(fold));
  } catch (error) {
    if (!(error instanceof Unplayable)) throw error;
    problems.push(error.message);
  }
  const meters = metersOf(fold, linkMeters(reader, asOf.seq, asOf.atMs));
  return { terminal: reader.terminalId, asOf, currency: state.profile?.currency ?? null, meters, problems };
}

function* meterLines(reader: LedgerReader): Generator<string> {
  yield csvLine(['code', 'unit', 'span', 'value']);
  for (const { code, unit, span, value } of metersIn(reader).meters) yield csvLine([code, unit, span, value]);
}

function* meterJson(reader: LedgerReader): Generator<string> {
  yield `${JSON.stringify(metersIn(reader), null, 2)}\n`;
}

/**
 * The plain files of an export, each from the ledger alone: who has the ledger can write them again
 * and compare.
 */
export const PLAIN_FILES: Readonly<Record<string, (reader: LedgerReader) => Iterable<string>>> = {
  'entries.jsonl': entryLines,
  'postings.csv': postingLines,
  'checkpoints.jsonl': checkpointLines,
  'keys.jsonl': keyLines,
  'events.csv': eventLines,
  'events.json': eventJson,
  'meters.csv': meterLines,
  'meters.json': meterJson,
};
