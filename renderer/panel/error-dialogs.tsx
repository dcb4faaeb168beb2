import { useState } from 'preact/hooks';
import { SUPERVISORS } from '../../engine/table/duties.ts';
import type { Assignable } from '../../engine/table/error-desk.ts';
import { BANK } from '../../engine/table/places.ts';
import type { Remedy } from '../../engine/table/steps.ts';
import type { Command } from '../../wire/commands.ts';
import type { Credential } from '../../wire/fields.ts';
import { Bi, useDealerWords } from '../parts/bilingual.tsx';
import { cardText } from '../parts/card-text.ts';
import { useView } from '../station/station.ts';
import { Frame, Seats, type SendProps, StaffPad } from './dialog-parts.tsx';

/** What the dealer says alone, or a supervisor where the rule or the house asks for one. */
export function ByDealer({
  dialog,
  bySupervisor,
  open,
  send,
}: SendProps & {
  readonly dialog: 'lay-out-cards' | 'doubt-card' | 'take-back-card' | 'replace-bank-second';
  readonly bySupervisor: boolean;
}) {
  if (bySupervisor) {
    return (
      <StaffPad
        title={(t) => t('dealer.supervisorPin')}
        roles={SUPERVISORS}
        onCredential={(credential) => send({ type: dialog, credential })}
        onClose={() => open(null)}
      />
    );
  }
  return (
    <Frame title={(t) => t(`option.${dialog}`)} open={open}>
      <p class="dialog-text">
        <Bi text={(t) => t(`consequence.${dialog}`)} />
      </p>
      <button type="button" class="button button-gold" onClick={() => send({ type: dialog })}>
        <Bi text={(t) => t('pin.ok')} />
      </button>
    </Frame>
  );
}

/**
 * art. 5.1.2: misdealt cards go to whom they were due: all first cards of two seats, one, or a
 * seat's first for the bank's.
 */
export function AssignCard({ open, send }: SendProps) {
  const { seats, bank, dealer } = useView();
  const { assignables, errorsBySupervisor } = dealer;
  const [from, setFrom] = useState<number | null>(null);
  const [to, setTo] = useState<number | null>(null);
  const [chosen, choose] = useState<number | 'all' | null>(null);
  const between = (one: number | null, other: number): Assignable | undefined =>
    assignables.find(
      ({ fromSeat, toSeat }) =>
        (fromSeat === one && toSeat === other) || (fromSeat === other && toSeat === one),
    );
  const assign = (what: number | 'all', credential?: Credential): void => {
    if (from === null || to === null) return;
    const place = what === 'all' ? {} : { place: what };
    const by = credential === undefined ? {} : { credential };
    const [fromSeat, toSeat] = from === BANK ? [to, from] : [from, to];
    send({ type: 'assign-card', fromSeat, toSeat, ...place, ...by });
  };
  if (chosen !== null) {
    return (
      <StaffPad
        title={(t) => t('dealer.supervisorPin')}
        roles={SUPERVISORS}
        onCredential={(credential) => assign(chosen, credential)}
        onClose={() => open(null)}
      />
    );
  }
  const lawful = to === null ? undefined : between(from, to);
  if (from === null || to === null || lawful === undefined) {
    const offered = [...seats.map(({ seat }) => seat), BANK].filter((seat) =>
      from === null || seat === from
        ? assignables.some(({ fromSeat, toSeat }) => fromSeat === seat || toSeat === seat)
        : between(from, seat) !== undefined,
    );
    const touchSeat = (seat: number): void => {
      if (from === null) setFrom(seat);
      else if (seat === from) setFrom(null);
      else setTo(seat);
    };
    return (
      <Frame title={(t) => t(from === null ? 'dealer.fromSeat' : 'dealer.toSeat')} open={open}>
        <Seats seats={offered.filter((seat) => seat !== BANK)} chosen={from} onTouch={touchSeat} />
        {offered.includes(BANK) && (
          <button type="button" class="button" aria-pressed={from === BANK} onClick={() => touchSeat(BANK)}>
            <Bi text={(t) => t('dealer.bank')} />
          </button>
        )}
      </Frame>
    );
  }
  const nameAt = (seat: number, place: number): string => {
    const card = (seat === BANK ? bank.cards : seats[seat - 1]?.hands[0]?.cards)?.[place];
    return card === undefined || card === null ? '?' : cardText(card);
  };
  const isOfBank = from === BANK || to === BANK;
  const atOf = (seat: number): string => (isOfBank ? '' : `${seat}: `);
  const touch = (what: number | 'all'): void => {
    if (errorsBySupervisor === true) choose(what);
    else assign(what);
  };
  return (
    <Frame
      title={(t) =>
        isOfBank
          ? t('dealer.whichOfBank', { seat: from === BANK ? to : from })
          : t('dealer.whichCards', { from, to })
      }
      open={open}
      back={() => setTo(null)}
    >
      <div class="menu">
        {lawful.places.map((place) => (
          <button type="button" key={place} class="button menu-item" onClick={() => touch(place)}>
            <span class="menu-name">{`${atOf(from)}${nameAt(from, place)} ⇄ ${atOf(to)}${nameAt(to, place)}`}</span>
          </button>
        ))}
        {lawful.all && (
          <button type="button" class="button menu-item" onClick={() => touch('all')}>
            <Bi text={(t) => t('dealer.allCards')} />
          </button>
        )}
      </div>
    </Frame>
  );
}

/** art. 6.1: whether the face of a wrongly drawn bank card was shown decides what becomes of it. */
export function DrawWrong({ open, send }: SendProps) {
  return (
    <Frame title={(t) => t('option.draw-wrong')} open={open}>
      <div class="two-buttons">
        <button
          type="button"
          class="button button-gold"
          onClick={() => send({ type: 'draw-wrong', shown: true })}
        >
          <Bi text={(t) => t('dealer.shown')} />
        </button>
        <button
          type="button"
          class="button button-gold"
          onClick={() => send({ type: 'draw-wrong', shown: false })}
        >
          <Bi text={(t) => t('dealer.unseen')} />
        </button>
      </div>
    </Frame>
  );
}

/** The ways out of the hold that stands; what follows from one is said before it is done. */
export function Resolve({ open, send }: SendProps) {
  const { dealer, hold } = useView();
  const words = useDealerWords();
  const [chosen, choose] = useState<Remedy | null>(null);
  if (hold === null) return null;
  const card = hold.card === null ? '' : cardText(hold.card);
  const remedy = dealer.remedies.find((each) => each.remedy === chosen?.remedy);
  if (remedy === undefined) {
    return (
      <Frame title={(t) => `${t('confirm.resolve-card')} ${card}`} open={open}>
        <div class="menu">
          {dealer.remedies.map((each) => (
            <button type="button" key={each.remedy} class="button menu-item" onClick={() => choose(each)}>
              <span class="menu-name">
                <Bi text={(t) => t(`remedy.${each.remedy}`)} />
              </span>
            </button>
          ))}
        </div>
      </Frame>
    );
  }
  const target = targetOf(remedy.remedy, hold.card);
  return (
    <Frame title={(t) => t(`remedy.${remedy.remedy}`)} open={open} back={() => choose(null)}>
      <p class="dialog-text">
        <Bi text={(t) => t(`consequence.${remedy.remedy}`)} />
      </p>
      <p class="menu-cites">
        {words.map(({ language, articles }) => (
          <span key={language} lang={language}>
            {articles(remedy.cites)}
          </span>
        ))}
        {remedy.by === 'supervisor' && <Bi text={(t) => t('dealer.bySupervisor')} />}
      </p>
      <button
        type="button"
        class="button button-gold"
        onClick={() => (typeof target === 'string' ? open(target) : send(target))}
      >
        <Bi text={(t) => t('pin.ok')} />
      </button>
    </Frame>
  );
}

function targetOf(
  remedy: Remedy['remedy'],
  card: NonNullable<ReturnType<typeof useView>['hold']>['card'],
): Command | 'card' | 'assign-card' | 'void-round' {
  switch (remedy) {
    case 'set-card-aside':
    case 'read-card-again':
    case 'confirm-layout':
      return { type: remedy };
    case 'confirm-read-card':
      return card === null ? 'card' : { type: 'confirm-card', card };
    case 'name-card':
      return 'card';
    case 'wrong-card-shown':
    case 'wrong-card-unseen':
      return { type: 'draw-wrong', shown: remedy === 'wrong-card-shown' };
    case 'assign-card':
    case 'void-round':
      return remedy;
  }
}
