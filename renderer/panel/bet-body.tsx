import { useState } from 'preact/hooks';
import type { BettingChoice } from '../../engine/table/steps.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { ownBets } from '../parts/mode.ts';
import { chipClosed, useDerived, useStation } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { amountText } from '../table/chips.ts';
import { formGameOf, formOf } from '../table/form.ts';
import { oddsText } from '../table/odds.ts';
import { textOfCode } from '../texts/i18n.ts';
import { AccountRow, mayCashOut } from './account-row.tsx';
import { BetRow, Seconds } from './bet-row.tsx';
import { Chip } from './chip.tsx';
import { PlaceBody } from './place-body.tsx';

const TOOLS = ['undo-bet', 'clear-bets', 'repeat-bets', 'double-bets'] as const;

/** The seat on whose hand this panel lays its next bets; null while the player is choosing one. */
export function useBetPlace(seat: SeatView, view: TableView): number | null {
  const station = useStation();
  const place = useDerived(() => station.places.value.get(seat.seat) ?? null, [station, seat.seat]);
  return place === null || place.roundId !== view.round?.id ? seat.seat : place.on;
}

const picksChips = (view: TableView): boolean => formGameOf(view.table.rulebook) === 'baccarat';

const laidOn = (seat: SeatView, view: TableView, on: number, bet: string): number =>
  ownBets(view, seat).reduce(
    (sum, each) => sum + (each.seat === on && each.bet === bet ? each.amountMinor : 0),
    0,
  );

/** The bets beside a main one, as they lie on the felt, from the left. */
function otherBets(seat: SeatView, view: TableView, on: number): BettingChoice[] {
  const isOwn = on === seat.seat;
  const open = seat.behind.find((each) => each.seat === on)?.bets ?? [];
  const order = picksChips(view) ? [] : formOf(view).spots;
  return (
    seat.betting
      .filter(({ act, bet }) => act === 'place-bet' && bet !== 'main')
      // on another seat only what is open there, or lies there already
      .map((choice) => (isOwn ? choice : { ...choice, allowed: open.some(({ bet }) => bet === choice.bet) }))
      .filter(({ allowed, bet }) => isOwn || allowed || laidOn(seat, view, on, bet!) > 0)
      .sort((a, b) => order.indexOf(a.bet!) - order.indexOf(b.bet!))
  );
}

/**
 * What decides the layout of a panel of bets, as tokens for the style sheet: whether there is a
 * main bet, the least number of others, and whether chips or account buttons need the width. With
 * `:has` the style sheet could find out by itself, but then every chip restyles the whole panel.
 */
export function betsShown(seat: SeatView, view: TableView, on: number): string {
  const { length } = otherBets(seat, view, on);
  const { acceptors, chipsMinor } = view.table;
  const isWide = chipsMinor.length > 6 || (acceptors === 'shared' && mayCashOut(seat));
  return [
    ...(picksChips(view) ? [] : ['main']),
    ...[1, 2, 4, 5, 7].filter((least) => length >= least),
    ...(isWide ? ['wide'] : []),
  ].join(' ');
}

/**
 * Bets as rows, and chips to lay on them. Where there is a main bet, one touch on a chip lays it
 * there; a touch on another bet first sends the next chips to that one. Where there is none
 * (baccarat), a chip is picked and every touch on a bet lays it.
 */
export function BetBody({ seat, view }: { seat: SeatView; view: TableView }) {
  const on = useBetPlace(seat, view);
  return on === null ? <PlaceBody seat={seat} view={view} /> : <Bets seat={seat} view={view} on={on} />;
}

/** The bets of this bettor on the hand of `on`, their own seat or another one. */
function Bets({ seat, view, on }: { seat: SeatView; view: TableView; on: number }) {
  const station = useStation();
  const { t, money, language } = useWords();
  const { table } = view;
  const number = seat.seat;
  const isOwn = on === number;
  const laid = ownBets(view, seat).filter((bet) => isOwn || bet.seat === on);
  const picks = picksChips(view);
  const others = otherBets(seat, view, on);
  const staked = laid.reduce((sum, bet) => sum + bet.amountMinor, 0);
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
    if (choice.allowed) return station.pickSpot(number, bet === target ? null : bet);
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

  const limits = t('bet.limits', {
    min: amountText(table.minMinor, language),
    max: amountText(table.maxMinor, language),
  });
  const mainMinor = laidOn(seat, view, on, 'main');
  const mainName = isOwn ? t('bet.yours') : t('seat.name', { seat: on });

  return (
    <div class="bet-body">
      {picks ? (
        <div class="bet-line">
          {staked > 0 ? (
            <span class="bet-sum">
              {t('bet.yours')} <strong>{money(staked)}</strong>
            </span>
          ) : (
            <span class="range quiet">{limits}</span>
          )}
          <Seconds view={view} />
        </div>
      ) : (
        <div class="bet-main">
          <BetRow
            bet="main"
            label={`${mainName} ${mainMinor > 0 ? amountText(mainMinor, language) : limits}`}
            laidMinor={mainMinor}
            isTarget={target === null}
            isOpen
            onTouch={() => station.pickSpot(number, null)}
          >
            <span class="bet-name">
              {(mainMinor > 0 || !isOwn) && mainName}{' '}
              {mainMinor > 0 ? <b>{amountText(mainMinor, language)}</b> : isOwn && limits}
            </span>
          </BetRow>
          <Seconds view={view} />
        </div>
      )}
      {others.length > 0 && (
        <fieldset class="bet-rows" aria-label={t('bet.spots')}>
          {others.map((choice) => {
            const bet = choice.bet!;
            const name = textOfCode('table', 'bet.name', bet, language);
            const odds = oddsText(bet, view, language) ?? '';
            const laidMinor = laidOn(seat, view, on, bet);
            return (
              <BetRow
                key={bet}
                bet={bet}
                label={`${name} ${odds}`}
                laidMinor={laidMinor}
                isTarget={picks ? undefined : bet === target}
                isOpen={choice.allowed}
                onTouch={() => touchSpot(choice)}
              >
                <span class="bet-name">{name}</span>
                <span class="bet-pays">
                  {odds} {laidMinor > 0 && <b>{amountText(laidMinor, language)}</b>}
                </span>
              </BetRow>
            );
          })}
        </fieldset>
      )}
      <fieldset class="chips" aria-label={t('bet.chips')}>
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
      </fieldset>
      <div class="tools">
        {/* On a display of the seat the last has another place than the rest. */}
        <div class="bet-tools">
          {TOOLS.map((act) => {
            const choice = seat.betting.find((each) => each.act === act);
            return (
              choice && (
                <button
                  type="button"
                  key={act}
                  class="button button-tool"
                  aria-disabled={!choice.allowed}
                  onClick={() => useTool(choice)}
                >
                  {t(`bet.${act}`)}
                </button>
              )
            );
          })}
          <button
            type="button"
            class="button button-tool button-most"
            aria-label={t('bet.maxBet')}
            aria-pressed={picks ? mostPicked : undefined}
            aria-disabled={
              picks ? seat.creditMinor === 0 : chipClosed(seat, target ?? 'main', 1, on) !== null
            }
            onClick={() => (picks ? pickMost(true) : station.layMost(seat, target ?? 'main', on))}
          >
            {t('bet.max')}
          </button>
          <AccountRow seat={seat} />
        </div>
        <PlaceButton seat={seat} on={on} />
      </div>
    </div>
  );
}

/**
 * The quiet way to the hands of others, and back; nothing where no seat but their own can ever be
 * bet on.
 */
function PlaceButton({ seat, on }: { readonly seat: SeatView; readonly on: number }) {
  const station = useStation();
  const { t } = useWords();
  const isOwn = on === seat.seat;
  if (isOwn && seat.behind.every(({ refused }) => refused?.code === 'not-own-seat')) return null;
  return (
    <button
      type="button"
      class="button button-quiet button-place"
      onClick={() => station.pickPlace(seat.seat, isOwn ? null : seat.seat)}
    >
      {t(isOwn ? 'bet.behind.button' : 'bet.behind.back')}
    </button>
  );
}
