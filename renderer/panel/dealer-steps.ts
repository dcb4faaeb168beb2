import type { DealerStep } from '../../engine/table/steps.ts';
import type { Command } from '../../wire/commands.ts';
import type { TableView } from '../../wire/view.ts';
import { cardText } from '../parts/card-text.ts';
import type { TableText } from '../texts/i18n.ts';

/** What opens over the dealer's side of the table. */
export type DealerDialog =
  | 'menu'
  | 'sign-in'
  | 'cut-shoe'
  | 'place-end-card'
  | 'witness-loading'
  | 'load-packet'
  | 'order-decks'
  | 'count-cards'
  | 'open-shuffler'
  | 'raise-complaint'
  | 'lay-out-cards'
  | 'replace-cards'
  | 'report-replacement'
  | 'card'
  | 'assign-card'
  | 'draw-wrong'
  | 'doubt-card'
  | 'take-back-card'
  | 'replace-bank-second'
  | 'resolve'
  | 'void-round'
  | 'forfeit-streak'
  // the staff's desk and what leads from it
  | 'desk'
  | 'hand-pays'
  | 'held-notes'
  | 'calls'
  | 'hand-over'
  | 'boxes'
  | 'exclusion'
  | 'complaints'
  | 'adjust-credit'
  | 'recall'
  | 'service';

/** The sentence of a step. `splitHands`: how many hands the seat of the step has. */
export function stepText(step: DealerStep, splitHands: number, t: TableText): string {
  switch (step.step) {
    case 'place-end-card':
      return t('step.place-end-card', { minBehind: step.minBehind });
    case 'cut-shoe':
      if (step.seat === null) return t('step.cut-shoe');
      return step.seat === 0 ? t('step.cut-by-supervisor') : t('step.cut-in-turn', { seat: step.seat });
    case 'load-packet':
      return t('step.load-packet', { no: step.done + 1 });
    case 'open-shuffler':
      return t(step.technician ? 'step.open-shuffler-technician' : 'step.open-shuffler');
    case 'close-complaint':
      return t('step.close-complaint', { seat: step.seat });
    case 'burn':
      return t('step.burn', { done: step.done, count: step.count });
    case 'draw-for-bank':
      return t(step.faceDown ? 'step.draw-hole-card' : 'step.draw-for-bank');
    case 'draw-for-seat':
      return splitHands > 1
        ? t('step.draw-for-hand', { seat: step.seat, hand: step.hand + 1 })
        : t('step.draw-for-seat', { seat: step.seat });
    case 'await-decision':
      if (step.by !== undefined) return t('step.await-decision-by', { seat: step.seat, by: step.by });
      return splitHands > 1
        ? t('step.await-hand', { seat: step.seat, hand: step.hand + 1 })
        : t('step.await-decision', { seat: step.seat });
    case 'await-offers':
      return t('step.await-offers', { seats: step.seats.join(' · ') });
    case 'close-betting':
      return step.owedBySeat === undefined
        ? t('step.close-betting')
        : t('step.bet-owed', { seat: step.owedBySeat });
    case 'pay-prize':
      return t('step.pay-prize', { seat: step.seat });
    case 'confirm-card':
      return t('step.confirm-card', { card: cardText(step.card) });
    default:
      return t(`step.${step.step}`);
  }
}

/**
 * What the big button of a step does: a command at once, a dialog first, or nothing where the cards
 * themselves answer.
 */
export type StepButton =
  | { readonly label: ConfirmKey; readonly command: Command }
  | { readonly label: ConfirmKey; readonly dialog: DealerDialog };

type ConfirmKey =
  | 'sign-in'
  | 'check-decks'
  | 'load-shoe'
  | 'witness-loading'
  | 'load-packet'
  | 'order-decks'
  | 'count-cards'
  | 'feed-shuffler'
  | 'open-shuffler'
  | 'close-complaint'
  | 'cut-shoe'
  | 'place-end-card'
  | 'open-betting'
  | 'close-betting'
  | 'confirm-layout'
  | 'close-round'
  | 'confirm-card'
  | 'resolve-card';

/** `handLoaded`: the shoe cannot tell that it was loaded. */
export function stepButton(step: DealerStep, handLoaded = false): StepButton | null {
  switch (step.step) {
    case 'load-shoe':
      return handLoaded ? { label: step.step, command: { type: step.step } } : null;
    case 'check-decks':
    case 'feed-shuffler':
    case 'open-betting':
    case 'close-betting':
    case 'confirm-layout':
    case 'close-round':
      return { label: step.step, command: { type: step.step } };
    case 'sign-in':
    case 'cut-shoe':
    case 'place-end-card':
    case 'witness-loading':
    case 'load-packet':
    case 'order-decks':
    case 'count-cards':
    case 'open-shuffler':
      return { label: step.step, dialog: step.step };
    case 'close-complaint':
      return { label: step.step, dialog: 'complaints' };
    case 'confirm-card':
      return { label: 'confirm-card', dialog: 'card' };
    case 'resolve-card':
      return { label: 'resolve-card', dialog: 'resolve' };
    case 'burn':
    case 'draw-for-seat':
    case 'draw-for-bank':
    case 'draw-for-player-side':
    case 'await-offers':
    case 'await-decision':
    case 'read-results':
    case 'in-service':
    case 'locked-by-centre':
    case 'pay-prize':
    case 'call-supervisor':
      return null;
  }
}

/**
 * Whether a dialog that is open still has something to answer. A dialog of the step ends with its
 * step; the others stay while the table goes on, so that nobody loses a half-typed PIN to a card of
 * the next seat.
 */
export function dialogStands(dialog: DealerDialog, view: TableView): boolean {
  const { step, options } = view.dealer;
  const offered = (option: (typeof options)[number]['option']): boolean =>
    options.some((each) => each.option === option);
  switch (dialog) {
    case 'sign-in':
    case 'cut-shoe':
    case 'place-end-card':
    case 'witness-loading':
    case 'load-packet':
    case 'order-decks':
    case 'count-cards':
    case 'open-shuffler':
      return step.step === dialog;
    case 'raise-complaint':
    case 'lay-out-cards':
    case 'replace-cards':
    case 'report-replacement':
    case 'void-round':
    case 'assign-card':
    case 'draw-wrong':
    case 'doubt-card':
    case 'take-back-card':
    case 'replace-bank-second':
      return offered(dialog);
    case 'resolve':
      return view.dealer.remedies.length > 0;
    case 'forfeit-streak':
      return offered('forfeit-streak') || offered('release-streak');
    case 'card':
      return step.step === 'confirm-card' || offered('confirm-card');
    case 'recall':
      return mayRecall(view);
    case 'service':
      return view.service === null;
    case 'menu':
    case 'desk':
    case 'hand-pays':
    case 'held-notes':
    case 'calls':
    case 'hand-over':
    case 'boxes':
    case 'exclusion':
    case 'complaints':
    case 'adjust-credit':
      return true;
  }
}

/** Nothing lies on the table that the past would hide, or nothing of it goes on. */
export const mayRecall = (view: TableView): boolean =>
  view.service === null && view.dealer.name !== '' && (view.hold !== null || view.round === null);
