/**
 * `banca replay DB [--round ID] [--json]`: the stored events through the engine once more, and the
 * hash of the state against the one that the terminal signed when it stood there. Exit 0 all equal,
 * 1 one differs, 2 cannot run.
 */
import { initialState } from '../engine/engine.ts';
import { OpenedCards } from '../host/table/sealed-cards.ts';
import { sameTransaction, stateHash, wholeHash } from '../host/table/terminal.ts';
import { CLOSING } from '../ledger/chain/closings.store.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import type { LedgerReader } from '../ledger/store/ledger.store.ts';
import { CannotRun, readArguments } from './command.ts';
import { entriesOf, play, readLedger, Unplayable, withNext } from './read-ledger.ts';

/** The state after one entry, replayed and as it was signed live. */
interface Compared {
  /** Round that ended there; null for a state that was kept between two round ends. */
  readonly roundId: string | null;
  readonly seq: number;
  /** SHA-256 of the replayed state, hex. */
  readonly hash: string;
  /** The live one, hex; null where the terminal lost its power before it could sign it. */
  readonly stored: string | null;
}
interface Replayed {
  readonly entries: number;
  readonly states: readonly Compared[];
  /** Why the replay could not go on to the end. */
  readonly stopped: { readonly seq: number; readonly what: string } | null;
}

export function replay(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    { round: { type: 'string' }, json: { type: 'boolean', default: false } },
    ['DB'],
  );
  return readLedger('replay', positionals[0]!, (reader) => {
    const { entries, states, stopped } = replayAll(reader);
    const wanted = values.round;
    const shown = wanted === undefined ? states : states.filter((state) => state.roundId === wanted);
    if (wanted !== undefined && shown.length === 0 && stopped === null) {
      const known = reader.readRound(wanted).length > 0;
      throw new CannotRun(`round ${wanted} ${known ? 'has not ended yet' : 'is not in this ledger'}`);
    }
    const differing = shown.filter(({ hash, stored }) => stored !== null && stored !== hash);
    const unsigned = shown.filter(({ stored }) => stored === null).length;
    const ok = differing.length === 0 && stopped === null;
    const rounds = shown.filter(({ roundId }) => roundId !== null);
    if (values.json) {
      const between = shown.filter(({ roundId }) => roundId === null);
      console.log(
        JSON.stringify({
          ok,
          terminal: reader.terminalId,
          entries,
          differing: differing.length,
          unsigned,
          stopped,
          rounds,
          between,
        }),
      );
      return ok;
    }
    for (const { roundId, seq, hash, stored } of shown) {
      const verdict = stored === null ? 'not signed live' : stored === hash ? 'equal' : `LIVE ${stored}`;
      console.log(`${roundId ?? '(between rounds)'} entry ${seq} ${hash} ${verdict}`);
    }
    if (stopped) console.log(`PROBLEM ${stopped.what}`);
    const notSigned = unsigned === 0 ? '' : `, ${unsigned} not signed live`;
    console.log(`${rounds.length} rounds replayed, ${differing.length} states differ${notSigned}`);
    return ok;
  });
}

function replayAll(reader: LedgerReader): Replayed {
  const signed = new Map<number, string>();
  for (const { seq, reason, stateHash: hash } of reader.checkpoints())
    if (hash && reason !== CLOSING) signed.set(seq, toHex(hash));
  const states: Compared[] = [];
  const state = initialState();
  const cards = new OpenedCards(reader);
  let entries = 0;
  let ended: string | null = null;
  try {
    for (const { entry, next } of withNext(entriesOf(reader))) {
      if (entry.kind === 'round-closed') ended = entry.roundId;
      play(state, entry, cards);
      entries += 1;
      const stored = signed.get(entry.seq) ?? null;
      // The terminal signs after the whole transaction that closes a round; without a signature its
      // end is the best guess.
      if (stored === null && (ended === null || sameTransaction(entry, next))) continue;
      const hashes = [stateHash(state), wholeHash(state)].map(toHex);
      // Before cards were sealed the terminal signed the state with those that lay face down.
      const hash = hashes.find((each) => each === stored) ?? hashes[0]!;
      states.push({ roundId: ended, seq: entry.seq, hash, stored });
      ended = null;
    }
  } catch (error) {
    if (!(error instanceof Unplayable)) throw error;
    return { entries, states, stopped: { seq: error.seq, what: error.message } };
  }
  return { entries, states, stopped: null };
}
