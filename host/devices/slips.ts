/**
 * What stands on each slip, in Portuguese and English, in Macau above that in Chinese, which the
 * driver draws: no printer needs a font for it. What is printed decides nothing.
 */
import { cardName } from '../../engine/core/cards.ts';
import { type Currency, timesOf } from '../../engine/core/money.ts';
import { formatMoment, formatMoney, withCurrency } from '../../engine/rules/formats.ts';
import type { Home } from '../../engine/rules/home.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { Person, VoidReason } from '../../engine/table/inputs.ts';
import { BANK } from '../../engine/table/places.ts';
import type { PrintItem } from '../../hardware/ports.ts';
import { canDraw } from '../../hardware/printer/letters.ts';

/** Of the narrowest paper of 80 mm: 512 dots of 12 a character. */
const COLUMNS = 42;
/** Dots of a module on paper 72 mm wide (576 dots): the code of a link has up to 129 modules. */
const qrDots = (text: string): number => (text.length > 1_000 ? 3 : 4);

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

/** Each name on a slip as it stands above it in Chinese. */
const CHINESE = {
  'PAGAMENTO EM MÃO / HAND PAY': '人手付款',
  'COFRE RETIRADO / DROP': '鈔箱單據',
  'REGISTO DE ERRO / ERROR RECORD': '錯誤紀錄',
  'RECIBO / RECEIPT': '牌局收據',
  '2.ª VIA / COPY': '副本',
  'SIMULAÇÃO / SIMULATION': '模擬',
  'INCOMPLETO / INCOMPLETE': '未計全數',
  'Sem valor monetário / No cash value': '無現金價值',
  'Cartas trocadas / Cards swapped': '改派紙牌',
  'Carta retirada / Card taken back': '收回陽開的紙牌',
  'Carta da banca descartada / Bank discard': '莊家第二張牌作廢',
  'Carta corrigida / Card corrected': '紙牌已核對',
  'Jogada cancelada / Round cancelled': '銷去本局紙牌',
  'Jogada anulada / Round cancelled': '銷去本局紙牌',
  Terminal: '終端機',
  'Data / Date': '日期',
  'Recibo / Receipt': '收據編號',
  'Lugar / Seat': '座位',
  'Origem / Of': '來源：派彩',
  'Pago por / Paid by': '支付人',
  'Confirmado por / Confirmed by': '覆核人',
  'Jogador / Player': '博彩者',
  '2.': '第二人',
  'Aceitador / Acceptor': '入鈔機',
  'Notas / Notes': '鈔票張數',
  'Retidas / Held': '待核',
  'Recolhido por / Collected by': '收箱人',
  'Vigilância / Surveillance': '監察',
  'Jogada / Round': '局號',
  'Lida / Read': '讀得',
  'Carta / Card': '紙牌',
  'Motivo / Reason': '理由',
  'Art.': '條文',
  'Croupier / Dealer': '莊荷',
  'Pagador / Dealer': '莊荷',
  'Autorizado / By': '批准人',
  'Responsável / Supervisor': '主管',
  'Fiscal-chefe / Supervisor': '主管',
  'Apostado / Staked': '投注',
  'Comissão / Commission': '佣金',
  'Carta indicada à mão / Card by hand': '紙牌由人指明',
  'Devolvido / Returned': '派回',
  'Resultado / Result': '輸贏',
  'Erro na distribuição / Misdeal': '派牌錯誤',
  'Carta exposta / Exposed card': '紙牌陽開',
  'Avaria no «shoe» / Shoe fault': '牌靴故障',
  'Avaria no sabot / Shoe fault': '牌靴故障',
  'Recuperação / System recovery': '系統恢復',
  'Responsável / By the supervisor': '主管決定',
  'Fiscal-chefe / By the supervisor': '主管決定',
} as const;
type Name = keyof typeof CHINESE;

const isOfCodePage = (text: string): boolean => /^[\x20-\x7e\xa0-\xff€]+$/.test(text);
/** A name in letters that have no shape is none on paper. */
const isPrintable = (text: string): boolean => isOfCodePage(text) || canDraw(text);

type Role = Person['role'];
const ROLES: Readonly<Record<Role, string>> = {
  dealer: 'croupier',
  attendant: 'assistente',
  supervisor: 'responsável',
  technician: 'técnico',
  auditor: 'auditor',
  manufacturer: 'fabricante',
};
const ROLES_IN: Readonly<Record<Home, Readonly<Partial<Record<Role, string>>>>> = {
  macau: {},
  portugal: { dealer: 'pagador', supervisor: 'fiscal-chefe' },
};
const nameOf = ({ home }: Place, { id, name, role }: Person): string =>
  `${isPrintable(name) ? name : isPrintable(id) ? id : '-'} (${ROLES_IN[home][role] ?? ROLES[role]})`;

/** A printer has spaces of one kind. */
const onPaper = (text: string): string => text.replaceAll('\u00a0', ' ');

/** Portuguese leads the figures on slips: 'MOP 1 234,50', '1 234,50 €'. */
export const moneyOf = (amountMinor: number, currency: Currency): string =>
  onPaper(withCurrency(formatMoney(amountMinor, 'pt'), currency, 'pt'));

/** What was won or lost, with its sign. */
const netOf = (netMinor: number, currency: Currency): string =>
  `${netMinor > 0 ? '+' : netMinor < 0 ? '-' : ''}${moneyOf(Math.abs(netMinor), currency)}`;

/** Wall clock of the casino, as on every screen: '26/11/2026, 20:14:07'. */
export const timeOf = (atMs: number, currency: Currency): string => formatMoment(atMs, currency, 'pt');

type Look = Omit<Extract<PrintItem, { type: 'line' }>, 'type' | 'text'>;
const line = (text: string, look: Look = {}): PrintItem => ({ type: 'line', text, ...look });
/** Chinese is a language of Macau's law, and a line more of paper elsewhere. */
const inChinese = ({ home }: Place, name: Name, look: Look = {}): PrintItem[] =>
  home === 'portugal' ? [] : [line(CHINESE[name], look)];
const words = (place: Place, name: Name, look: Look = {}): PrintItem[] => [
  // What is drawn at double size takes a long time on a serial line.
  ...inChinese(place, name, { ...look, large: false }),
  line(name, look),
];
/** A name at the left, its value at the right; on a line of its own where both are too long. */
const beside = (name: string, value: string): PrintItem[] => {
  const gap = COLUMNS - name.length - value.length;
  return isOfCodePage(value) && gap > 0
    ? [line(`${name}${' '.repeat(gap)}${value}`)]
    : [line(name), line(isPrintable(value) ? value : '-', { align: 'right' })];
};
const pair = (place: Place, name: Name, value: string): PrintItem[] => [
  ...inChinese(place, name),
  ...beside(name, value),
];
const signature = (place: Place, name: Name): PrintItem[] => [
  { type: 'feed', lines: 2 },
  ...inChinese(place, name),
  line(`${name} ${'_'.repeat(Math.max(8, COLUMNS - name.length - 1))}`),
];

function slip(
  place: Place,
  title: Name,
  o: { readonly isCopy: boolean; readonly atMs: number },
  body: readonly PrintItem[],
): PrintItem[] {
  const { terminalId, tableName, currency, isSimulated } = place;
  const bold: Look = { align: 'centre', bold: true };
  return [
    line(isPrintable(tableName) ? tableName : terminalId, bold),
    ...words(place, title, bold),
    ...(o.isCopy ? words(place, '2.ª VIA / COPY', { ...bold, large: true }) : []),
    ...(isSimulated ? words(place, 'SIMULAÇÃO / SIMULATION', bold) : []),
    ...pair(place, 'Terminal', terminalId),
    ...pair(place, 'Data / Date', timeOf(o.atMs, currency)),
    ...body,
    { type: 'cut' },
  ];
}

export const handPaySlip = (place: Place, event: Event<'hand-paid'>, isCopy: boolean): PrintItem[] =>
  slip(place, 'PAGAMENTO EM MÃO / HAND PAY', { isCopy, atMs: event.atMs }, [
    ...(event.payNo === undefined ? [] : pair(place, 'Recibo / Receipt', String(event.payNo))),
    ...pair(place, 'Lugar / Seat', String(event.seat)),
    ...(event.win ? pair(place, 'Origem / Of', 'Prémio / Win') : []),
    line(moneyOf(event.amountMinor, event.currency), { align: 'centre', bold: true, large: true }),
    ...pair(place, 'Pago por / Paid by', nameOf(place, event.person)),
    ...(event.second === null
      ? []
      : pair(place, 'Confirmado por / Confirmed by', nameOf(place, event.second))),
    ...signature(place, 'Jogador / Player'),
    ...signature(place, 'Pago por / Paid by'),
    ...(event.second === null ? [] : signature(place, '2.')),
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
  const total = notes.reduce((sum, { valueMinor, count }) => sum + timesOf(valueMinor, count), 0);
  const count = notes.reduce((sum, note) => sum + note.count, 0);
  return slip(place, 'COFRE RETIRADO / DROP', { isCopy, atMs }, [
    ...pair(place, 'Aceitador / Acceptor', String(acceptor)),
    ...notes.flatMap((note) =>
      beside(
        `${note.count} x ${moneyOf(note.valueMinor, currency)}`,
        moneyOf(timesOf(note.valueMinor, note.count), currency),
      ),
    ),
    ...pair(place, 'Notas / Notes', String(count)),
    ...(isWhole ? [] : words(place, 'INCOMPLETO / INCOMPLETE')),
    ...(held === 0 ? [] : pair(place, 'Retidas / Held', String(held))),
    line(moneyOf(total, currency), { align: 'centre', bold: true, large: true }),
    ...signature(place, 'Recolhido por / Collected by'),
    ...signature(place, 'Vigilância / Surveillance'),
  ]);
}

const DEALERS: Readonly<Record<Home, Name>> = { macau: 'Croupier / Dealer', portugal: 'Pagador / Dealer' };
const SUPERVISORS: Readonly<Record<Home, Name>> = {
  macau: 'Responsável / Supervisor',
  portugal: 'Fiscal-chefe / Supervisor',
};
const CANCELLED: Readonly<Record<Home, Name>> = {
  macau: 'Jogada cancelada / Round cancelled',
  portugal: 'Jogada anulada / Round cancelled',
};

const REASONS: Readonly<Record<VoidReason, Name>> = {
  misdeal: 'Erro na distribuição / Misdeal',
  'card-exposed': 'Carta exposta / Exposed card',
  'shoe-fault': 'Avaria no «shoe» / Shoe fault',
  recovery: 'Recuperação / System recovery',
  supervisor: 'Responsável / By the supervisor',
};
const REASONS_IN: Readonly<Record<Home, Readonly<Partial<Record<VoidReason, Name>>>>> = {
  macau: {},
  portugal: {
    'shoe-fault': 'Avaria no sabot / Shoe fault',
    supervisor: 'Fiscal-chefe / By the supervisor',
  },
};

const ERROR_NAMES: Readonly<Record<Exclude<DealError['type'], 'round-voided'>, Name>> = {
  'cards-swapped': 'Cartas trocadas / Cards swapped',
  'card-taken-back': 'Carta retirada / Card taken back',
  'bank-second-burned': 'Carta da banca descartada / Bank discard',
  'card-confirmed': 'Carta corrigida / Card corrected',
};

/** Cards of the entry that nobody has to keep to themselves. */
function cardsOf(place: Place, event: DealError): PrintItem[] {
  if ('sealed' in event || !('card' in event) || event.card === null) return [];
  const read = event.type === 'card-confirmed' ? [...pair(place, 'Lida / Read', cardName(event.read))] : [];
  return [...read, ...pair(place, 'Carta / Card', cardName(event.card))];
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
      ? `${event.fromSeat} > ${event.toSeat === BANK ? 'Banca / Bank' : event.toSeat}`
      : 'seat' in event
        ? event.seat
        : null;
  return slip(place, 'REGISTO DE ERRO / ERROR RECORD', { isCopy, atMs: event.atMs }, [
    ...(roundNo === null ? [] : pair(place, 'Jogada / Round', String(roundNo))),
    ...words(place, event.type === 'round-voided' ? CANCELLED[home] : ERROR_NAMES[event.type]),
    ...(seat === null ? [] : pair(place, 'Lugar / Seat', String(seat))),
    ...cardsOf(place, event),
    ...(event.type === 'round-voided'
      ? [
          ...words(place, 'Motivo / Reason'),
          ...words(place, REASONS_IN[home][event.reason] ?? REASONS[event.reason], { align: 'right' }),
        ]
      : []),
    ...('cites' in event && event.cites.length > 0 ? pair(place, 'Art.', event.cites.join(', ')) : []),
    ...(dealer === null ? [] : pair(place, DEALERS[home], nameOf(place, dealer))),
    ...('person' in event && event.person !== null
      ? pair(place, 'Autorizado / By', nameOf(place, event.person))
      : []),
    ...signature(place, DEALERS[home]),
    ...signature(place, SUPERVISORS[home]),
  ]);
};

export interface PlayedRound {
  readonly no: number;
  readonly seat: number;
  readonly openedAtMs: number;
  /** People have named a card of it. */
  readonly byHand: boolean;
  readonly stakedMinor: number;
  /** What the house took of the winnings (Bacará art. 18.1). */
  readonly commissionMinor: number;
  readonly netMinor: number;
  /** What the terminal has signed of it, as the screen shows it. */
  readonly receipt: string;
}

export const roundSlip = (place: Place, round: PlayedRound, isCopy: boolean): PrintItem[] =>
  slip(place, 'RECIBO / RECEIPT', { isCopy, atMs: round.openedAtMs }, [
    ...pair(place, 'Jogada / Round', String(round.no)),
    ...pair(place, 'Lugar / Seat', String(round.seat)),
    ...(round.byHand ? words(place, 'Carta indicada à mão / Card by hand') : []),
    ...pair(place, 'Apostado / Staked', moneyOf(round.stakedMinor, place.currency)),
    ...(round.commissionMinor === 0
      ? []
      : pair(place, 'Comissão / Commission', moneyOf(round.commissionMinor, place.currency))),
    ...pair(place, 'Devolvido / Returned', moneyOf(round.stakedMinor + round.netMinor, place.currency)),
    ...pair(place, 'Resultado / Result', netOf(round.netMinor, place.currency)),
    { type: 'qr', text: round.receipt, dots: qrDots(round.receipt) },
    ...words(place, 'Sem valor monetário / No cash value', { align: 'centre' }),
  ]);
