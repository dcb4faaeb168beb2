/**
 * `banca recall DB [--round NO|ID] [--json]`: one round as it was, the newest without `--round`:
 * who dealt, cards, bets by category, credits before and after, amounts with their articles,
 * corrections, errors, every step. Exit 0, 1 the ledger does not hold, 2 cannot run.
 */
import { type Card, cardName } from '../engine/core/cards.ts';
import { hiddenRound, roundDetail, stateBefore } from '../host/pages/recall.ts';
import { roundIdOf } from '../host/table/terminal.ts';
import type { LedgerReader } from '../ledger/store/ledger.store.ts';
import type { RoundDetail, RoundStep } from '../wire/pages.ts';
import { CannotRun, moneyText, readArguments } from './command.ts';
import { readLedger } from './read-ledger.ts';

export function recall(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    { round: { type: 'string' }, json: { type: 'boolean', default: false } },
    ['DB'],
  );
  return readLedger('recall', positionals[0]!, async (reader) => {
    const roundId = values.round === undefined ? newestRound(reader) : roundNamed(reader, values.round);
    const headSeq = reader.newest({ beforeSeq: null, limit: 1, kind: null })[0]?.seq ?? 0;
    // Of a ledger that is being played on, the bank's hole card stays hidden here too.
    const hiddenIn = hiddenRound(await stateBefore(reader, headSeq + 1));
    const round = await roundDetail(reader, hiddenIn, roundId);
    if (round === null) throw new CannotRun(`round ${values.round} is not in this ledger`);
    if (values.json) console.log(JSON.stringify(round));
    else for (const line of linesOf(round)) console.log(line);
    return true;
  });
}

const roundNamed = (reader: LedgerReader, name: string): string =>
  /^\d{1,15}$/.test(name) ? roundIdOf(reader.terminalId, Number(name)) : name;

function newestRound(reader: LedgerReader): string {
  const kinds = ['betting-opened', 'demo-round-opened'];
  const [opened] = reader.newest({ beforeSeq: null, limit: 1, kind: null, kinds });
  if (!opened?.roundId) throw new CannotRun('no round was played in this ledger');
  return opened.roundId;
}

const cards = (all: readonly (Card | null)[]): string => all.map(cardName).join(' ') || '-';
const said = ({ seq, atMs, kind, body }: RoundStep): string =>
  `  ${seq} ${new Date(atMs).toISOString()} ${kind} ${JSON.stringify(body)}`;

function* linesOf(round: RoundDetail): Generator<string> {
  const { roundId, no, rulebook, profileSha256, openedAtMs, dealers, bankCards, playerSideCards } = round;
  yield `round ${no} (${roundId}) of ${rulebook}, opened ${new Date(openedAtMs).toISOString()}`;
  yield `table ${profileSha256}`;
  yield `dealt by ${dealers.join(', ') || '-'}; bank ${cards(bankCards)}`;
  if (playerSideCards.length > 0) yield `Player side ${cards(playerSideCards)}`;
  for (const { seat, creditBeforeMinor, creditAfterMinor, wagers, hands, lines } of round.seats) {
    yield `seat ${seat}: credit ${moneyText(creditBeforeMinor)} before, ${moneyText(creditAfterMinor)} after`;
    for (const { category, amountMinor } of wagers) yield `  put in ${category} ${moneyText(amountMinor)}`;
    for (const hand of hands) yield `  hand ${cards(hand.cards)}, stake ${moneyText(hand.stakeMinor)}`;
    for (const { bet, outcome, stakeMinor, returnedMinor, cites } of lines)
      yield `  ${bet} ${outcome}: stake ${moneyText(stakeMinor)}, returned ${moneyText(returnedMinor)} [${cites.join(', ')}]`;
  }
  const parts = {
    'money since the round before': round.moneyBefore,
    corrections: round.corrections,
    errors: round.errors,
    steps: round.steps,
  };
  for (const [title, steps] of Object.entries(parts)) {
    if (steps.length === 0) continue;
    yield `${title}:`;
    yield* steps.map(said);
  }
}
