/**
 * The last rounds of the games that have no roads: what the bank had, and how many hands stood
 * above it, even and below. It tells what was; of the next round it says nothing.
 */
import { bookOf } from '../../engine/books.ts';
import { BANK_BLACKJACK, BANK_UNPLAYED } from '../../engine/games/blackjack/tally.ts';
import type { Tally } from '../../engine/table/tallies.ts';
import type { TableView } from '../../wire/view.ts';
import { Bi, biText } from '../parts/bilingual.tsx';
import { rankText } from '../parts/card-text.ts';
import { Icon } from '../parts/icons.tsx';
import type { TableText } from '../texts/i18n.ts';
import { useSheet } from './use-sheet.ts';

/** What the bank had: a sign, and its words where the sign is not a number of points. */
interface BankSign {
  readonly sign: string;
  readonly words: ((t: TableText) => string) | null;
  readonly kind: 'points' | 'blackjack' | 'busted';
}

function blackjackSign(bank: number): BankSign {
  if (bank === BANK_UNPLAYED) return { sign: '–', words: (t) => t('lastRounds.unplayed'), kind: 'points' };
  if (bank === BANK_BLACKJACK) return { sign: 'BJ', words: (t) => t('hand.blackjack'), kind: 'blackjack' };
  if (bank > 21) return { sign: String(bank), words: (t) => t('hand.busted'), kind: 'busted' };
  return { sign: String(bank), words: null, kind: 'points' };
}

/** The ace counts fourteen. */
const rankSign = (bank: number): BankSign => ({
  sign: rankText(bank === 14 ? 0 : bank - 1),
  words: null,
  kind: 'points',
});

const isBlackjack = ({ table }: TableView): boolean => bookOf(table.rulebook)?.id === 'blackjack';
const signsOf = (view: TableView): ((bank: number) => BankSign) =>
  isBlackjack(view) ? blackjackSign : rankSign;

/** As the strip and the rows of the sheet have them, beside the bank. */
const HANDS = [
  { at: 1, of: 'above', blackjack: 'lastRounds.won', other: 'lastRounds.above' },
  { at: 2, of: 'even', blackjack: 'lastRounds.push', other: 'lastRounds.tie' },
  { at: 3, of: 'below', blackjack: 'lastRounds.lost', other: 'lastRounds.below' },
] as const;

/** So many have room on the cloth. */
const ON_THE_CLOTH = 10;

export function TallyStrip({ view, most }: { readonly view: TableView; readonly most: number }) {
  const signOf = signsOf(view);
  const shown = (view.tallies ?? []).slice(-most);
  return (
    <span class="tally-strip" aria-hidden="true" style={{ '--most': String(most) }}>
      {shown.map((tally, i) => {
        const { sign, kind } = signOf(tally[0]);
        return (
          <span key={i} class={i === shown.length - 1 ? 'tally tally-newest' : 'tally'}>
            <b class={`tally-bank tally-${kind}`}>{sign}</b>
            <span class="tally-hands">
              {HANDS.map(
                ({ at, of }) =>
                  tally[at] > 0 && (
                    <i key={of} class={`tally-${of}`} style={{ flexGrow: String(tally[at]) }} />
                  ),
              )}
            </span>
          </span>
        );
      })}
    </span>
  );
}

/** Panels with more side bets than that reach up to here while bets are laid. */
const ROOM_FOR_BETS = 6;
const isUnderPanels = ({ phase, table: { options } }: TableView): boolean =>
  phase === 'betting' && Array.isArray(options['sideBets']) && options['sideBets'].length > ROOM_FOR_BETS;

/** They lie on the cloth below the bank's chips; a touch opens all that are kept. */
export function LastRounds({
  view,
  tallies,
}: {
  readonly view: TableView;
  readonly tallies: readonly Tally[];
}) {
  const { isOpen, isClosed, toggle, close } = useSheet(view);
  if (isUnderPanels(view)) return null;
  return (
    <section class="roads" aria-label={biText((t) => t('lastRounds.label'))}>
      <button
        type="button"
        class="last-rounds"
        disabled={isClosed}
        aria-expanded={isOpen}
        aria-label={biText((t) => t('lastRounds.open'))}
        onClick={toggle}
      >
        <TallyStrip view={view} most={ON_THE_CLOTH} />
      </button>
      {isOpen && <LastRoundsSheet view={view} tallies={tallies} close={close} />}
    </section>
  );
}

function LastRoundsSheet(props: {
  readonly view: TableView;
  readonly tallies: readonly Tally[];
  readonly close: () => void;
}) {
  const signOf = signsOf(props.view);
  const kind = isBlackjack(props.view) ? 'blackjack' : 'other';
  return (
    <div class="road-sheet last-rounds-sheet" role="dialog" aria-label={biText((t) => t('lastRounds.label'))}>
      <table class="last-rounds-table">
        <tbody>
          <tr>
            <th scope="row">
              <Bi text={(t) => t('dealer.bank')} />
            </th>
            {props.tallies.map(([bank], i) => {
              const { sign, words, kind: of } = signOf(bank);
              return (
                <td key={i}>
                  <b class={`tally-bank tally-${of}`} aria-hidden={sign === '–' || undefined}>
                    {sign}
                  </b>
                  {words && <span class="heard">{biText(words)}</span>}
                </td>
              );
            })}
          </tr>
          {HANDS.map((row) => (
            <tr key={row.of}>
              <th scope="row">
                <i class={`tally-sign tally-${row.of}`} aria-hidden="true" />
                <Bi text={(t) => t(row[kind])} />
              </th>
              {props.tallies.map((tally, i) => (
                <td key={i}>{tally[row.at]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" class="button" aria-label={biText((t) => t('roads.close'))} onClick={props.close}>
        <Icon name="close" />
      </button>
    </div>
  );
}
