import { useState } from 'preact/hooks';
import type { BettingChoice } from '../../engine/table/steps.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { Icon } from '../parts/icons.tsx';
import { ownBets } from '../parts/mode.ts';
import { chipClosed, useDerived, useSecondsLeft, useStation } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { amountText } from '../table/chips.ts';
import { formGameOf, formOf } from '../table/form.ts';
import { oddsText } from '../table/odds.ts';
import { feltText, textOfCode } from '../texts/i18n.ts';
import { AccountRow } from './account-row.tsx';
import { Chip, ChipFace } from './chip.tsx';
import { PlaceBody } from './place-body.tsx';

const TOOLS = {
  'undo-bet': 'undo',
  'clear-bets': 'clear',
  'repeat-bets': 'repeat',
  'double-bets': 'double',
} as const;
const LAST_CALL_S = 5;

/**
 * Chips to bet with. Where there is a main bet, one touch on a chip lays it there; a touch on
 * another bet first sends the next chips to that one. Where there is none (baccarat), a chip is
 * picked and every touch on a bet lays it.
 */
export function BetBody({ seat, view }: { seat: SeatView; view: TableView }) {
  const station = useStation();
  const place = useDerived(() => station.places.value.get(seat.seat) ?? null, [station, seat.seat]);
  if (place === null || place.roundId !== view.round?.id)
    return <Bets seat={seat} view={view} on={seat.seat} />;
  return place.on === null ? (
    <PlaceBody seat={seat} view={view} />
  ) : (
    <Bets seat={seat} view={view} on={place.on} />
  );
}

/** The bets of this bettor on the hand of `on`, their own seat or another one. */
function Bets({ seat, view, on }: { seat: SeatView; view: TableView; on: number }) {
  const station = useStation();
  const { t, money, language } = useWords();
  const { table, deadline } = view;
  const number = seat.seat;
  const isOwn = on === number;
  const laid = ownBets(view, seat).filter((bet) => isOwn || bet.seat === on);
  const laidOn = (bet: string): number =>
    laid.reduce((sum, each) => sum + (each.seat === on && each.bet === bet ? each.amountMinor : 0), 0);
  const open = seat.behind.find((each) => each.seat === on)?.bets ?? [];
  // on another seat only what is open there, or lies there already
  const places = seat.betting
    .filter((choice) => choice.act === 'place-bet')
    .map((choice) => (isOwn ? choice : { ...choice, allowed: open.some(({ bet }) => bet === choice.bet) }))
    .filter((choice) => isOwn || choice.allowed || laidOn(choice.bet!) > 0);
  const picks = formGameOf(table.rulebook) === 'baccarat';
  const order = picks ? [] : formOf(view).spots;
  // as they lie on the felt, from the left
  const others = places
    .filter((choice) => choice.bet !== 'main')
    .sort((a, b) => order.indexOf(a.bet!) - order.indexOf(b.bet!));
  const staked = laid.reduce((sum, bet) => sum + bet.amountMinor, 0);
  const seconds = useSecondsLeft(deadline?.atMs ?? null);
  // Large text: the other bets on a page of their own, else neither they nor the chips had room.
  const pages = seat.comfort?.text === 'large' && others.length > 0 && !picks;
  const [onOthers, showOthers] = useState(false);
  /** Of the game without a main bet: what is picked is the most that may be laid. */
  const [mostPicked, pickMost] = useState(false);
  const lastChip = useDerived(() => station.chips.value.get(number) ?? null, [station, number]);
  const chosen = useDerived(() => station.spots.value.get(number) ?? null, [station, number]);
  const target =
    !picks &&
    chosen !== null &&
    chosen.roundId === view.round?.id &&
    others.some((each) => each.bet === chosen.bet)
      ? chosen.bet
      : null;
  const picked = picks ? (lastChip ?? table.chipsMinor.find((chip) => chip >= table.minMinor) ?? null) : null;

  const touchChip = (chipMinor: number): void => {
    pickMost(false);
    if (picks) station.pickChip(number, chipMinor);
    else station.layChip(seat, target ?? 'main', chipMinor, on);
  };
  const touchSpot = (choice: BettingChoice): void => {
    const bet = choice.bet!;
    if (picks && mostPicked) return station.layMost(seat, bet);
    if (picks) return station.layChip(seat, bet, picked ?? table.minMinor);
    if (bet === 'jackpot' && view.jackpot !== null)
      return station.layChip(seat, bet, view.jackpot.stakeMinor);
    if (choice.allowed) {
      showOthers(false);
      return station.pickSpot(number, bet === target ? null : bet);
    }
    station.notify(number, { code: choice.code ?? 'not-allowed', cites: choice.cites, act: null });
  };
  const useTool = (choice: BettingChoice): void => {
    const roundId = view.round?.id;
    if (!choice.allowed || roundId === undefined || choice.act === 'place-bet') {
      station.notify(number, { code: choice.code ?? 'not-allowed', cites: choice.cites, act: null });
      return;
    }
    void station.send(number, {
      type: choice.act,
      roundId,
      seat: number,
      touchedAtMs: station.wire.hostNow(),
    });
  };
  const closedChip = (chip: number): boolean =>
    picks ? chip > seat.creditMinor : chipClosed(seat, target ?? 'main', chip, on) !== null;

  const tools = (Object.keys(TOOLS) as (keyof typeof TOOLS)[]).map((act) => {
    const choice = seat.betting.find((each) => each.act === act);
    return choice ? (
      <button
        type="button"
        key={act}
        class={others.length > 0 ? 'button button-tool button-tool-icon' : 'button button-tool'}
        aria-label={t(`bet.${act}`)}
        aria-disabled={!choice.allowed}
        onClick={() => useTool(choice)}
      >
        {others.length > 0 ? <Icon name={TOOLS[act]} /> : t(`bet.${act}`)}
      </button>
    ) : null;
  });

  return (
    <div class={others.length > 0 ? 'bet-body bet-body-spots' : 'bet-body'}>
      <div class="bet-line">
        {target !== null ? (
          <span class="bet-target">
            {!isOwn && `${on} · `}
            {textOfCode('table', 'bet.name', target, language)} <b>{oddsText(target, view, language)}</b>
          </span>
        ) : !isOwn ? (
          <span class="bet-target">
            {t('seat.name', { seat: on })} {staked > 0 && <b>{money(staked)}</b>}
          </span>
        ) : staked > 0 ? (
          <span class="bet-sum">
            <span>{t('bet.yours')}</span> <strong>{money(staked)}</strong>
          </span>
        ) : (
          <span class="quiet">{t('bet.limits', { min: table.minMinor, max: table.maxMinor })}</span>
        )}
        {seconds !== null && (
          <span class={seconds <= LAST_CALL_S ? 'seconds seconds-last' : 'seconds'}>
            {seconds <= LAST_CALL_S && target === null && <span class="last-call">{t('bet.lastCall')}</span>}
            {t('bet.seconds', { count: seconds })}
          </span>
        )}
      </div>
      {!(pages && onOthers) && (
        <fieldset class="chips" aria-label={t('bet.chips')} data-count={table.chipsMinor.length}>
          {table.chipsMinor.map((chip) => (
            <button
              type="button"
              key={chip}
              class={chip === picked && !mostPicked ? 'chip-button chip-picked' : 'chip-button'}
              aria-label={t('bet.chip', { amount: chip })}
              aria-pressed={picks ? chip === picked && !mostPicked : undefined}
              aria-disabled={closedChip(chip)}
              onClick={() => touchChip(chip)}
            >
              <Chip valueMinor={chip} />
            </button>
          ))}
          <button
            type="button"
            class={mostPicked ? 'chip-button chip-picked' : 'chip-button'}
            aria-label={t('bet.maxBet')}
            aria-pressed={picks ? mostPicked : undefined}
            aria-disabled={
              picks ? seat.creditMinor === 0 : chipClosed(seat, target ?? 'main', 1, on) !== null
            }
            onClick={() => (picks ? pickMost(true) : station.layMost(seat, target ?? 'main', on))}
          >
            <ChipFace colour="most" label={t('bet.max')} />
          </button>
        </fieldset>
      )}
      {others.length > 0 && (!pages || onOthers) && (
        <fieldset
          class="spots"
          aria-label={t('bet.spots')}
          data-count={others.length}
          data-game={formGameOf(table.rulebook)}
        >
          {others.map((choice) => {
            const bet = choice.bet!;
            const amount = laidOn(bet);
            const odds = oddsText(bet, view, language) ?? '';
            return (
              <button
                type="button"
                key={bet}
                class={amount > 0 ? 'spot spot-laid' : 'spot'}
                data-bet={bet}
                aria-label={`${textOfCode('table', 'bet.name', bet, language)} ${odds}`}
                aria-pressed={picks ? undefined : bet === target}
                aria-disabled={!choice.allowed}
                onClick={() => touchSpot(choice)}
              >
                <span>{feltText(language)(`spot.${bet}` as never, { defaultValue: bet })}</span>
                <small>{amount > 0 ? amountText(amount, language) : odds}</small>
              </button>
            );
          })}
        </fieldset>
      )}
      {pages && (
        <div class="account-row">
          <button
            type="button"
            class="button button-quiet"
            aria-expanded={onOthers}
            onClick={() => showOthers(!onOthers)}
          >
            {onOthers ? t('bet.chips') : t('bet.others')}
          </button>
          <AccountRow seat={seat} />
        </div>
      )}
      {others.length > 0 ? (
        <div class="tools tools-row">
          {tools}
          <PlaceButton seat={seat} on={on} small />
          {!pages && <AccountRow seat={seat} />}
        </div>
      ) : (
        <>
          <div class="tools">{tools}</div>
          <div class="account-row">
            <PlaceButton seat={seat} on={on} />
            <AccountRow seat={seat} />
          </div>
        </>
      )}
    </div>
  );
}

/**
 * The quiet way to the hands of others, and back; nothing where no seat but their own can ever be
 * bet on.
 */
function PlaceButton(props: { readonly seat: SeatView; readonly on: number; readonly small?: boolean }) {
  const station = useStation();
  const { t } = useWords();
  const { seat, on, small = false } = props;
  const isOwn = on === seat.seat;
  if (isOwn && seat.behind.every(({ refused }) => refused?.code === 'not-own-seat')) return null;
  const label = t(isOwn ? 'bet.behind.button' : 'bet.behind.back');
  return (
    <button
      type="button"
      class={small ? 'button button-tool button-tool-icon' : 'button button-quiet'}
      aria-label={label}
      onClick={() => station.pickPlace(seat.seat, isOwn ? null : seat.seat)}
    >
      {small ? <Icon name={isOwn ? 'behind' : 'back'} /> : label}
    </button>
  );
}
