import type { TableProfile } from '../../engine/table/profile.ts';
import { FILE_BOUNDS, parseBounded } from '../../ledger/chain/bounded-json.ts';
import type { FiguresPage } from '../../wire/pages.ts';
import { checkEdit, type ProfileEdit } from '../config/change-desk.ts';
import { runBeside } from '../program/side-program.ts';
import type { Terminal } from '../table/terminal.ts';

/** Bets that are not enumerated are played for so long. */
const ESTIMATE_SECONDS = 5;
/** The best strategy of black jack takes some ten seconds of a slow machine. */
const MOST_MS = 5 * 60_000;
/** Nobody has looked for so long: the work is for nobody. */
const UNASKED_MS = 10_000;
/** So many sets of options are remembered. */
const MOST_KNOWN = 64;

const WORKING: FiguresPage = { state: 'working', why: null, bets: [], notEnumerated: [] };
const failed = (why: string): FiguresPage => ({ ...WORKING, state: 'failed', why });

/** What `banca figures --rulebook … --json` says, as far as it is shown. */
interface Said {
  readonly notEnumerated: readonly { readonly bet: string }[];
  readonly bets: readonly Omit<FiguresPage['bets'][number], 'error'>[];
  readonly estimates: readonly { readonly bet: string; readonly edge: string; readonly error: string }[];
}

/**
 * The edge of every bet under options that are thought of, reckoned by `banca figures` in a process
 * of its own; one at a time, the one that was asked for last. What it has said of a set of options
 * is remembered.
 */
export class FiguresDesk {
  readonly #terminal: Pick<Terminal, 'state' | 'now'>;
  readonly #log: (line: string) => void;
  readonly #known = new Map<string, FiguresPage>();
  #run: { readonly key: string; readonly stop: () => void } | null = null;
  #unasked: NodeJS.Timeout | null = null;

  constructor(o: { terminal: Pick<Terminal, 'state' | 'now'>; log: (line: string) => void }) {
    this.#terminal = o.terminal;
    this.#log = o.log;
  }

  /** Of the table in force with the edit; begins to reckon where that is not known. */
  page(edit: ProfileEdit): FiguresPage {
    const inForce = this.#terminal.state.profile;
    const profile = inForce && checkEdit(inForce, edit, this.#terminal.now()).profile;
    return profile ? this.#of(profile, true) : failed('no legal table');
  }

  /** Of the table as it is, for its players: what the staff thinks of goes first. */
  inForce(): FiguresPage {
    const { profile } = this.#terminal.state;
    return profile ? this.#of(profile, false) : failed('no table');
  }

  #of(profile: TableProfile, isFirst: boolean): FiguresPage {
    const key = keyOf(profile);
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#run !== null && this.#run.key !== key && !isFirst) return WORKING;
    if (this.#run?.key !== key) this.#begin(key, profile);
    if (this.#unasked) clearTimeout(this.#unasked);
    this.#unasked = setTimeout(() => this.stop(), UNASKED_MS);
    return WORKING;
  }

  stop(): void {
    if (this.#unasked) clearTimeout(this.#unasked);
    this.#unasked = null;
    this.#run?.stop();
    this.#run = null;
  }

  #begin(key: string, { rulebook, options }: TableProfile): void {
    this.stop();
    let said = '';
    let last = '';
    const { ended, stop } = runBeside({
      program: 'cli/banca',
      args: [
        ...['figures', '--rulebook', rulebook, '--options', JSON.stringify(options)],
        ...['--estimate', String(ESTIMATE_SECONDS), '--json'],
      ],
      mostMs: MOST_MS,
      onOut: (line) => {
        said = line;
      },
      onError: (line) => {
        last = line;
        this.#log(line);
      },
    });
    const run = { key, stop };
    this.#run = run;
    void ended.then((why) => {
      // One that was stopped for another has nothing to say.
      if (this.#run !== run) return;
      this.#run = null;
      this.#remember(key, why === null ? pageOf(said) : failed(last || why));
    });
  }

  #remember(key: string, page: FiguresPage): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, page);
  }
}

const keyOf = ({ rulebook, options }: TableProfile): string =>
  JSON.stringify([rulebook, Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1))]);

function pageOf(line: string): FiguresPage {
  const { bets, estimates, notEnumerated } = parseBounded(line, FILE_BOUNDS) as Said;
  const shown = ({ bet, edge, favoursPlayer }: Omit<FiguresPage['bets'][number], 'error'>) => ({
    ...{ bet, edge, favoursPlayer },
    error: null,
  });
  const estimated = estimates.map(({ bet, edge, error }) => ({
    ...{ bet, edge, error },
    favoursPlayer: Number(edge) < 0,
  }));
  return {
    state: 'done',
    why: null,
    // What a bet comes to if it is played otherwise is no bet of the table.
    bets: [...bets.filter(({ bet }) => !bet.includes(' ')).map(shown), ...estimated],
    notEnumerated: notEnumerated
      .map(({ bet }) => bet)
      .filter((bet) => ![...bets, ...estimates].some((known) => known.bet === bet)),
  };
}
