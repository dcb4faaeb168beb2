import { MOST_MINOR } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { isHeldByBooks } from './cards.ts';
import { refuseWords } from './cash.ts';
import { openComplaint } from './complaints.ts';
import { creditOf, type Draft, profileOf, seatOf } from './draft.ts';
import { refusePersons } from './duties.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';

/**
 * What was wrong stays as it is in the ledger; what is right is a new entry beside it, against an
 * account of its own. No article lets a settlement be taken back once its cards are collected: a
 * player is paid, or pays, the difference.
 */
export function adjustCredit(draft: Draft, input: InputOf<'adjust-credit'>): Rejection | null {
  const { state, atMs } = draft;
  if (isHeldByBooks(state)) return reject('held', [], 'the books do not agree');
  const { seat, amountMinor, reason, words, corrects, complaintNo, person, second } = input;
  if (!seatOf(state, seat)) return reject('unknown-seat');
  const after = creditOf(state, seat) + amountMinor;
  if (!Number.isSafeInteger(after) || amountMinor === 0) return reject('malformed', [], 'amountMinor');
  const { currency, maxCreditMinor } = profileOf(state);
  // A limit of the house for what a person types; what is rightly more is put right in parts, each
  // with its two persons.
  if (Math.abs(amountMinor) > maxCreditMinor)
    return reject('limit', [], `amountMinor: a correction moves ${maxCreditMinor} minor units at most`);
  if (after > MOST_MINOR && amountMinor > 0)
    return reject('limit', [], `amountMinor: no credit is lifted above ${MOST_MINOR} minor units`);
  const refused = refusePersons('adjust-credit', person, second, true) ?? refuseWords(reason, words);
  if (refused) return refused;
  if (after < 0) return reject('no-credit', [], 'a credit cannot fall below nothing');
  const complaint = complaintNo === null ? null : openComplaint(state, complaintNo);
  if (complaint === undefined) return reject('nothing-to-do', [], 'no such complaint');
  if (complaint && complaint.seat !== seat)
    return reject('unknown-seat', [], 'the complaint is of another seat');
  emit(draft, {
    type: 'credit-adjusted',
    atMs,
    seat,
    currency,
    amountMinor,
    reason,
    words,
    corrects: { roundId: corrects.roundId ?? complaint?.ofRoundId ?? null, seq: corrects.seq },
    complaintNo,
    person,
    second,
  });
  return null;
}
