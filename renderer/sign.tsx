import { useMemo } from 'preact/hooks';
import { roadsOf } from '../engine/games/baccarat/roads.ts';
import type { Language } from '../engine/table/inputs.ts';
import type { TableView } from '../wire/view.ts';
import { Felt } from './felt.tsx';
import { Bi, biText } from './parts/bilingual.tsx';
import { TallyStrip } from './roads/last-rounds.tsx';
import { BeadRoad, BigRoad } from './roads/road-marks.tsx';
import { useSecondsLeft, useView } from './station/station.ts';
import { formGameOf } from './table/form.ts';
import { feltText, formatMoney, houseLanguage, type TableText } from './texts/i18n.ts';

type Named = readonly [name: (t: TableText, language: Language) => string, minor: number];
/** Of the last rounds, so that they are read from afar. */
const ON_THE_SIGN = 6;
const JACKPOT: Named[0] = (_t, language) => feltText(language)('jackpot');

/** The sign above the table: for whoever walks by, and nothing on it can be touched. */
export function SignPage() {
  const view = useView();
  const { table, coups } = view;
  const betting = view.deadline?.kind === 'betting' ? view.deadline.atMs : null;
  const seconds = useSecondsLeft(betting);
  const money = (minor: number): string => formatMoney(minor, houseLanguage());
  const amounts: readonly Named[] = [
    [(t) => t('sign.min'), table.minMinor],
    [(t) => t('sign.max'), table.maxMinor],
    ...(view.jackpot ? [[JACKPOT, view.jackpot.meterMinor] as const] : []),
  ];
  return (
    <main class="sign">
      <div class="sign-felt">
        <Felt />
      </div>
      <div class="sign-words">
        <h1 class="sign-name">{table.name}</h1>
        <p class="sign-game">
          <Bi text={(_t, language) => feltText(language)(`title.${formGameOf(table.rulebook)}`)} />
        </p>
        <dl class="sign-limits">
          {amounts.map(([name, minor], index) => (
            <div key={index}>
              <dt>
                <Bi text={name} />
              </dt>
              <dd>
                {money(minor)} <small>{table.currency}</small>
              </dd>
            </div>
          ))}
        </dl>
        {coups && <Shoe coups={coups} />}
        {view.tallies && (
          <div class="sign-rounds" role="img" aria-label={biText((t) => t('lastRounds.label'))}>
            <TallyStrip view={view} most={ON_THE_SIGN} />
          </div>
        )}
        <div class="sign-state" role="status">
          <Bi text={(t) => stateOf(view, t)} />
          {seconds !== null && <span class="sign-seconds">{seconds}</span>}
        </div>
        {view.simulation && (
          <p class="sim-mark">
            <Bi text={(t) => t('sim.title')} />
          </p>
        )}
      </div>
    </main>
  );
}

/** What has come out of this shoe: the two roads that are read from afar. */
function Shoe({ coups }: { readonly coups: readonly number[] }) {
  const roads = useMemo(() => roadsOf(coups), [coups.join()]);
  return (
    <div class="sign-roads">
      <BigRoad roads={roads} columns={14} label={biText((t) => t('roads.big'))} />
      <BeadRoad roads={roads} columns={14} label={biText((t) => t('roads.bead'))} />
    </div>
  );
}

function stateOf(view: TableView, t: TableText): string {
  if (view.service) return t('step.in-service');
  if (view.hold) return t('hold.title');
  const turn = view.seats.find(({ turnHand }) => turnHand !== null);
  switch (view.phase) {
    case 'closed':
      return t('wait.closed');
    case 'shoe':
      return t('wait.shoe');
    case 'idle':
      return t('wait.nextRound');
    case 'betting':
      return t('step.close-betting');
    case 'bank':
      return t('wait.bankDraws');
    case 'settled':
      return t('wait.settling');
    default:
      return turn ? t('wait.seatDecides', { seat: turn.decider ?? turn.seat }) : t('wait.dealing');
  }
}
