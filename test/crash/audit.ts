import { dirname } from 'node:path';
import type { RackSight } from '../../hardware/rack/rack-commands.ts';
import { OpenedCards } from '../../host/table/sealed-cards.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import type { Entry } from '../../ledger/store/ledger.store.ts';
import { loadOrCreateKey, openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { Command } from '../../wire/commands.ts';

export interface Findings {
  lost: number;
  doubled: number;
  readonly problems: string[];
  entries: number;
  notes: number;
  cards: number;
  rounds: number;
}

/** What an audit holds against each other: what was done, what the devices have, and the ledger. */
export interface Audited {
  /** Command ids that were answered `done` or `exists`, and all that were ever sent. */
  readonly acknowledged: ReadonlyMap<string, Command>;
  readonly sent: ReadonlyMap<string, Command>;
  readonly ledgerPath: string;
  sight(): Promise<RackSight>;
  /** Afterwards the ledger can be read to the end. */
  stopHost(): Promise<void>;
}

type Count = (what: string, expected: number, found: number) => void;

type Body = Readonly<Record<string, unknown>>;

/**
 * Cards in the order in which they left the shoe; a card that waited for a word of the dealer
 * counts when it came. Null was burnt and nobody has seen it.
 */
export const cardsOf = (entries: readonly Entry[]): (number | null)[] =>
  entries
    .filter(({ kind }) => ['card-burned', 'card-dealt', 'bank-card-dealt'].includes(kind))
    .map((entry) => (entry.body as { card: number | null }).card);

/** What left the shoe, as far as the books may know it. */
export const asBooked = (drawn: readonly number[], booked: readonly (number | null)[]): (number | null)[] =>
  drawn.map((card, i) => (booked[i] === null ? null : card));

/**
 * Notes of this acceptor that the books say are in its box: credited at once, or once an attendant
 * had looked.
 */
export const creditedNotes = (entries: readonly Entry[], acceptor: number): number =>
  entries.filter(({ kind, body }) => {
    const event = body as Body;
    const isCredit =
      kind === 'note-credited' || (kind === 'held-note-resolved' && event['credited'] === true);
    return isCredit && event['acceptor'] === acceptor;
  }).length;

/** With every card, also one that is still sealed: the key lies beside the ledger. */
export function entriesOf(ledgerPath: string): Entry[] {
  const reader = openLedgerReader(ledgerPath);
  try {
    const { mac } = loadOrCreateKey(dirname(ledgerPath));
    return reader.read(1, Number.MAX_SAFE_INTEGER).map(new OpenedCards(reader, mac).in);
  } finally {
    reader.close();
  }
}

/**
 * What an attendant with the key sees: acceptors in whose box lies a note that nobody has credited.
 */
export function unbookedNotes(ledgerPath: string, { acceptors }: RackSight): ReadonlySet<number> {
  const entries = entriesOf(ledgerPath);
  const numbers = acceptors.map((_, index) => index + 1);
  return new Set(
    numbers.filter((number) => (acceptors[number - 1]?.cashBox.length ?? 0) > creditedNotes(entries, number)),
  );
}

/** Adds to the findings what was not found as often as it happened. */
export const counterOf =
  (findings: Pick<Findings, 'lost' | 'doubled' | 'problems'>): Count =>
  (what, expected, found) => {
    if (found < expected) findings.lost += expected - found;
    if (found > expected) findings.doubled += found - expected;
    if (found !== expected) findings.problems.push(`${what}: ${expected} happened, ${found} in the books`);
  };

/** Every acknowledged command stands in the books, every command at most once. */
export function auditCommands(
  entries: readonly Entry[],
  { acknowledged, sent }: Pick<Audited, 'acknowledged' | 'sent'>,
  count: Count,
): void {
  const transactions = new Map<string, Set<number>>();
  for (const entry of entries)
    if (entry.commandId !== null) {
      const times = transactions.get(entry.commandId) ?? new Set();
      transactions.set(entry.commandId, times.add(entry.atMs));
    }
  for (const [id, command] of acknowledged) count(`${command.type} ${id}`, 1, transactions.has(id) ? 1 : 0);
  for (const [id, times] of transactions) if (sent.has(id)) count(`command ${id}`, 1, times.size);
}

/**
 * Holds the books against what hands and devices did: every acknowledged deed once, every note
 * once, every card once.
 */
export async function auditSession(session: Audited): Promise<Findings> {
  const sight = await session.sight();
  await session.stopHost();
  const report = verifyLedger(session.ledgerPath);
  const entries = entriesOf(session.ledgerPath);
  const of = (kind: string): Entry[] => entries.filter((entry) => entry.kind === kind);
  const findings: Findings = {
    lost: 0,
    doubled: 0,
    problems: report.ok ? [] : [report.problem],
    entries: entries.length,
    notes: of('note-credited').length,
    cards: cardsOf(entries).length,
    rounds: of('round-closed').length,
  };
  const count = counterOf(findings);

  auditCommands(entries, session, count);
  const bets = [...session.acknowledged.values()].filter((command) => command.type === 'place-bet').length;
  count('bets laid', bets, of('bet-placed').length);

  // Notes: what fell into the cash boxes is what was credited, note by note.
  for (const [index, acceptor] of sight.acceptors.entries()) {
    count(`notes in ${acceptor.id}`, acceptor.cashBox.length, creditedNotes(entries, index + 1));
    const inBox = acceptor.cashBox.reduce((total, note) => total + note.valueMinor, 0);
    const onAccount = report.balances[`MOP/cash-box:${index + 1}`] ?? 0;
    if (inBox !== onAccount)
      findings.problems.push(`${acceptor.id}: ${inBox} in the box, ${onAccount} on the account`);
    if (acceptor.path !== null || acceptor.owesCredit)
      findings.problems.push(`${acceptor.id}: a note is on its way`);
  }
  count('cases closed', of('note-held').length, of('held-note-resolved').length);

  // Cards: the shoe's own memory, card by card.
  const drawn = cardsOf(entries);
  count('cards', sight.shoe.drawn.length, drawn.length);
  if (JSON.stringify(drawn) !== JSON.stringify(asBooked(sight.shoe.drawn, drawn)))
    findings.problems.push('cards stand in another order');
  return findings;
}
