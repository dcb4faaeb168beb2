/**
 * What a ledger says, as short as it can be compared: verdicts, states, and every picture of every
 * round.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { roundDetail } from '../../host/pages/recall.ts';
import { recallPage } from '../../host/pages/recall-steps.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import type { RoundDetail } from '../../wire/pages.ts';
import type { TableView } from '../../wire/view.ts';
import { ROOT } from '../shell/paths.ts';
import { PAST } from '../support/stored-table.ts';

export interface Look {
  readonly terminal: string;
  readonly entries: number;
  readonly head: string;
  /** What `banca replay` finds: the state after each round, SHA-256. */
  readonly states: readonly string[];
  /** By round: SHA-256 of the round in full, and of all the views of its recall. */
  readonly rounds: Readonly<
    Record<string, { readonly detail: string; readonly views: string; readonly steps: number }>
  >;
  /** SHA-256 of all meters but LATER. */
  readonly meters: string;
}

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * A view as the ledger alone determines it: without what belongs to the running process, and
 * without the dealer's options, which depend on what the present version allows.
 */
const ofRound = (view: TableView): object => ({
  ...view,
  bootId: null,
  link: null,
  dealer: { name: view.dealer.name, step: view.dealer.step },
});

/** Meters that no version has had which wrote one of these ledgers. */
const LATER = /^(?:door_|games_since_door$)/;

/** Exit 0 or an error; what it prints, read. */
function banca(...args: readonly string[]): Record<string, unknown> {
  const said = execFileSync(process.execPath, [join(ROOT, 'cli/banca.ts'), ...args, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(said) as Record<string, unknown>;
}

/** As a round was told of when these ledgers were made. */
function withoutLater(detail: RoundDetail | null): unknown {
  const { profileSha256: _later, ...rest } = detail!;
  return rest;
}

/** Looks at the ledger in `dir`, which must hold in every respect. */
export async function lookAt(dir: string, terminalId: string): Promise<Look> {
  const path = join(dir, 'ledger.db');
  banca('verify', path);
  const { rounds: replayed } = banca('replay', path) as { rounds: { roundId: string; hash: string }[] };
  const { meters } = banca('meters', path) as { meters: { code: string }[] };
  const ledger = openLedger(path, { terminalId, key: loadOrCreateKey(dir), createIfMissing: false });
  try {
    const head = ledger.head();
    const rounds: Record<string, { detail: string; views: string; steps: number }> = {};
    for (const { roundId } of replayed) {
      const views: unknown[] = [];
      for (let total = 1; views.length < total; ) {
        const page = await recallPage(ledger, PAST, roundId, views.length);
        if (page === null) throw new Error(`${roundId} cannot be recalled`);
        total = page.total;
        views.push(...page.steps.map(({ done, view }) => [done, ofRound(view)]));
      }
      rounds[roundId] = {
        detail: digest(withoutLater(await roundDetail(ledger, null, roundId))),
        views: digest(views),
        steps: views.length,
      };
    }
    return {
      terminal: terminalId,
      entries: head.seq,
      head: Buffer.from(ledger.hashAt(head.seq)!).toString('hex'),
      states: replayed.map(({ hash }) => hash),
      rounds,
      meters: digest(meters.filter(({ code }) => !LATER.test(code))),
    };
  } finally {
    ledger.close();
  }
}
