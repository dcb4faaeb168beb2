/**
 * What stands on each slip, in Portuguese and English: no printer needs a font for Chinese, and a
 * picture of it nobody draws here. What is printed decides nothing.
 */
import { cardName } from '../../engine/core/cards.ts';
import type { Currency } from '../../engine/core/money.ts';
import { formatMoment, formatMoney, withCurrency } from '../../engine/rules/formats.ts';
import type { Home } from '../../engine/rules/home.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { Person } from '../../engine/table/inputs.ts';
import type { PrintItem } from '../../hardware/ports.ts';

/** Of the narrowest paper of 80 mm: 512 dots of 12 a character. */
const COLUMNS = 42;
/** Modules of a receipt's QR code: some 110 of them are on paper 72 mm wide. */
const QR_DOTS = 4;

export interface Place {
  readonly terminalId: string;
  readonly tableName: string;
  readonly currency: Currency;
  /** Whose law's words stand on it. */
  readonly home: Home;
  readonly isSimulated: boolean;
}

type Event<T extends TableEvent['type']> = Extract<TableEvent, { type: T }>;

/** The events that are an error of the deal, or the end of one. */
export const DEAL_ERRORS = [
  'cards-swapped',
  'card-taken-back',
  'bank-second-burned',
  'card-confirmed',
  'round-voided',
] as const satisfies readonly TableEvent['type'][];
export type DealError = Event<(typeof DEAL_ERRORS)[number]>;

/** The letters that a printer has by itself; a name in others is none on paper. */
const isPrintable = (text: string): boolean => /^[\x20-\x7e\xa0-\xff]+$/.test(text);

const nameOf = ({ id, name, role }: Person): string =>
  `${isPrintable(name) ? name : isPrintable(id) ? id : '-'} (${role})`;

/** A printer has spaces of one kind. */
const onPaper = (text: string): string => text.replaceAll('\u00a0', ' ');

/** Portuguese comes first on slips, and writes their figures: 'MOP 1 234,50', '1 234,50 €'. */
export const moneyOf = (amountMinor: number, currency: Currency): string =>
  onPaper(withCurrency(formatMoney(amountMinor, 'pt'), currency, 'pt'));

/** Wall clock of the casino, as on every screen: '26/11/2026, 20:14:07'. */
export const timeOf = (atMs: number, currency: Currency): string => formatMoment(atMs, currency, 'pt');

const line = (text: string): PrintItem => ({ type: 'line', text });
/** A name at the left, its value at the right; on a line of its own where both are too long. */
const pair = (name: string, value: string): PrintItem[] => {
  const gap = COLUMNS - name.length - value.length;
  return gap > 0 ? [line(`${name}${' '.repeat(gap)}${value}`)] : [line(name), line(value.padStart(COLUMNS))];
};
const signature = (name: string): PrintItem[] => [
  { type: 'feed', lines: 2 },
  line(`${name} ${'_'.repeat(Math.max(8, COLUMNS - name.length - 1))}`),
];

function slip(
  { terminalId, tableName, currency, isSimulated }: Place,
  title: string,
  o: { readonly isCopy: boolean; readonly atMs: number },
  body: readonly PrintItem[],
): PrintItem[] {
  const centre = (text: string, more: object = {}): PrintItem => ({
    type: 'line',
    text,
    align: 'centre',
    ...more,
  });
  return [
    centre(isPrintable(tableName) ? tableName : terminalId, { bold: true }),
    centre(title, { bold: true }),
    ...(o.isCopy ? [centre('2.ª VIA / COPY', { bold: true, large: true })] : []),
    ...(isSimulated ? [centre('SIMULAÇÃO / SIMULATION', { bold: true })] : []),
    ...pair('Terminal', terminalId),
    ...pair('Data / Date', timeOf(o.atMs, currency)),
    ...body,
    { type: 'cut' },
  ];
}

export const handPaySlip = (place: Place, event: Event<'hand-paid'>, isCopy: boolean): PrintItem[] =>
  slip(place, 'PAGAMENTO EM MÃO / HAND PAY', { isCopy, atMs: event.atMs }, [
    ...(event.payNo === undefined ? [] : pair('Recibo / Receipt', String(event.payNo))),
    ...pair('Lugar / Seat', String(event.seat)),
    ...(event.win ? pair('Origem / Of', 'Prémio / Win') : []),
    {
      type: 'line',
      text: moneyOf(event.amountMinor, event.currency),
      align: 'centre',
      bold: true,
      large: true,
    },
    ...pair('Pago por / Paid by', nameOf(event.person)),
    ...(event.second === null ? [] : pair('Confirmado por / Confirmed by', nameOf(event.second))),
    ...signature('Jogador / Player'),
    ...signature('Pago por / Paid by'),
    ...(event.second === null ? [] : signature('2.')),
  ]);

/** What a cash box holds by the ledger. */
export interface Drop {
  readonly acceptor: number;
  readonly atMs: number;
  /** By value, the largest first. */
  readonly notes: readonly { readonly valueMinor: number; readonly count: number }[];
  /** Cases whose note lies in the box and is credited to nobody yet. */
  readonly held: number;
  /** False: the box was in for so long that not all of it was counted. */
  readonly isWhole: boolean;
}

export function dropSlip(
  place: Place,
  { acceptor, atMs, notes, held, isWhole }: Drop,
  isCopy: boolean,
): PrintItem[] {
  const { currency } = place;
  const total = notes.reduce((sum, { valueMinor, count }) => sum + valueMinor * count, 0);
  const count = notes.reduce((sum, note) => sum + note.count, 0);
  return slip(place, 'COFRE RETIRADO / DROP', { isCopy, atMs }, [
    ...pair('Aceitador / Acceptor', String(acceptor)),
    ...notes.flatMap((note) =>
      pair(
        `${note.count} x ${moneyOf(note.valueMinor, currency)}`,
        moneyOf(note.valueMinor * note.count, currency),
      ),
    ),
    ...pair('Notas / Notes', String(count)),
    ...(isWhole ? [] : [line('INCOMPLETO / INCOMPLETE')]),
    ...(held === 0 ? [] : pair('Retidas / Held', String(held))),
    { type: 'line', text: moneyOf(total, currency), align: 'centre', bold: true, large: true },
    ...signature('Recolhido por / Collected by'),
    ...signature('Vigilância / Surveillance'),
  ]);
}

const DEALERS: Readonly<Record<Home, string>> = {
  macau: 'Croupier / Dealer',
  portugal: 'Pagador / Dealer',
};
const SUPERVISORS: Readonly<Record<Home, string>> = {
  macau: 'Responsável / Supervisor',
  portugal: 'Fiscal-chefe / Supervisor',
};
const CANCELLED: Readonly<Record<Home, string>> = {
  macau: 'Jogada cancelada / Round cancelled',
  portugal: 'Jogada anulada / Round cancelled',
};

const ERROR_NAMES: Readonly<Record<Exclude<DealError['type'], 'round-voided'>, string>> = {
  'cards-swapped': 'Cartas trocadas / Cards swapped',
  'card-taken-back': 'Carta retirada / Card taken back',
  'bank-second-burned': 'Carta da banca descartada / Bank discard',
  'card-confirmed': 'Carta corrigida / Card corrected',
};

/** Cards of the entry that nobody has to keep to themselves. */
function cardsOf(event: DealError): PrintItem[] {
  if ('sealed' in event || !('card' in event) || event.card === null) return [];
  const read = event.type === 'card-confirmed' ? [...pair('Lida / Read', cardName(event.read))] : [];
  return [...read, ...pair('Carta / Card', cardName(event.card))];
}

export const errorSlip = (
  place: Place,
  event: DealError,
  {
    roundNo,
    dealer,
    isCopy,
  }: { readonly roundNo: number | null; readonly dealer: Person | null; readonly isCopy: boolean },
): PrintItem[] => {
  const { home } = place;
  const seat =
    event.type === 'cards-swapped'
      ? `${event.fromSeat} > ${event.toSeat}`
      : 'seat' in event
        ? event.seat
        : null;
  return slip(place, 'REGISTO DE ERRO / ERROR RECORD', { isCopy, atMs: event.atMs }, [
    ...(roundNo === null ? [] : pair('Jogada / Round', String(roundNo))),
    line(event.type === 'round-voided' ? CANCELLED[home] : ERROR_NAMES[event.type]),
    ...(seat === null ? [] : pair('Lugar / Seat', String(seat))),
    ...cardsOf(event),
    ...(event.type === 'round-voided' ? pair('Motivo / Reason', event.reason) : []),
    ...('cites' in event && event.cites.length > 0 ? pair('Art.', event.cites.join(', ')) : []),
    ...(dealer === null ? [] : pair(DEALERS[home], nameOf(dealer))),
    ...('person' in event && event.person !== null ? pair('Autorizado / By', nameOf(event.person)) : []),
    ...signature(DEALERS[home]),
    ...signature(SUPERVISORS[home]),
  ]);
};

export interface PlayedRound {
  readonly no: number;
  readonly seat: number;
  readonly openedAtMs: number;
  readonly stakedMinor: number;
  readonly netMinor: number;
  /** What the terminal has signed of it, as the screen shows it. */
  readonly receipt: string;
}

export const roundSlip = (place: Place, round: PlayedRound, isCopy: boolean): PrintItem[] =>
  slip(place, 'RECIBO / RECEIPT', { isCopy, atMs: round.openedAtMs }, [
    ...pair('Jogada / Round', String(round.no)),
    ...pair('Lugar / Seat', String(round.seat)),
    ...pair('Apostado / Staked', moneyOf(round.stakedMinor, place.currency)),
    ...pair('Devolvido / Returned', moneyOf(round.stakedMinor + round.netMinor, place.currency)),
    ...pair('Resultado / Result', moneyOf(round.netMinor, place.currency)),
    { type: 'qr', text: round.receipt, dots: QR_DOTS },
    { type: 'line', text: 'Sem valor monetário / No cash value', align: 'centre' },
  ]);
