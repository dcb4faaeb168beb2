/** Words of the gaming floor's board. */
import codes from './alarm-codes.json' with { type: 'json' };
import { LANGUAGES, type Language } from './floor-table.ts';

const en = {
  title: 'Gaming floor',
  all: 'All',
  others: 'Other tables',
  calm: 'calm',
  fault: 'fault',
  faults: 'faults',
  slow: 'warning',
  slows: 'warnings',
  waiting: 'waiting',
  open: 'open',
  seatsOf: (taken: number, seats: number) => `${taken} of ${seats} seats`,
  acknowledge: 'Acknowledge',
  showTable: 'Show table',
  seenBy: (who: string, at: string) => `Seen by ${who}, ${at}.`,
  /** Between a place and what is said of it; between two sentences. */
  stop: '. ',
  gap: ' ',
  comma: ', ',
  sinceAt: (at: string) => `since ${at}`,
  perHour: 'Hands per hour',
  onLast: (percent: string, weekday: string) => `${percent} on last ${weekday}`,
  stale: 'No contact with the centre. What stands here is old, since',
  again: 'Load again',
  noScript: 'Without JavaScript this page stands still and warns nobody.',
  notSent: 'This could not be sent. Try again.',
  noAlarm: 'Nobody waits and nothing is wrong.',
  trail: 'All alarms',
  board: 'The board',
  centre: 'Terminals',
  older: 'Older',
  opened: 'Opened',
  cured: 'Cured',
  seen: 'Seen by',
  stands: 'stands',
  nobody: 'nobody',
  none: 'None.',
  table: 'Table',
  what: 'What',
  since: 'Since',
  close: 'Close',
  state: 'State',
  round: 'Round',
  dealer: 'Dealer',
  seats: 'Seats',
  game: 'Game',
  link: 'Link',
  linkUp: 'up, everything is here',
  linkLate: (entries: string) => `${entries} entries still to come`,
  linkSilent: (at: string) => `silent since ${at}`,
  linkNever: 'never heard',
  software: 'Software',
  profile: 'Profile',
  name: 'Name',
  waits: 'Alarms',
  more: 'All of this terminal',
  seatTaken: 'seat taken',
  seatFree: 'free',
  seatWaits: 'seat that waits',
  states: {
    off: 'Off',
    closed: 'Closed',
    service: 'Service',
    locked: 'Locked',
    held: 'Held',
    silent: 'Silent',
    between: 'Between rounds',
    betting: 'Bets open',
    playing: 'Cards in play',
    paying: 'Paying',
  },
  games: { blackjack: 'Black Jack', baccarat: 'Baccarat', war: 'Casino War', other: 'Other game' },
  languages: { 'zh-Hant': 'Chinese', pt: 'Portuguese', en: 'English' },
  holds: {
    recovery: 'it comes back from a restart',
    'unexpected-card': 'a card was not due',
    'doubtful-card': 'a card is in doubt',
    'card-gap': 'a card is missing',
    misdeal: 'an error of the deal',
    books: 'the books differ',
    unread: 'a payment waits for its second reading',
  } as Readonly<Record<string, string>>,
  devices: {
    acceptor: 'Acceptor',
    shoe: 'Shoe',
    printer: 'Printer',
    cabinet: 'Cabinet',
    ups: 'UPS',
  } as Readonly<Record<string, string>>,
  kinds: {
    fault: 'Fault',
    hold: 'Round held',
    call: 'Call',
    complaint: 'Complaint',
    'hand-pay': 'Hand-pay',
    'held-note': 'Note held',
    silent: 'Silent',
    locked: 'Money locked',
    clock: 'Clock wrong',
    late: 'Link slow',
    'pace-low': 'Too few rounds',
    'pace-high': 'Too many rounds',
  },
  seat: (n: number) => `Seat ${n}`,
  speaks: (n: number, language: string | null) => `Seat ${n}${language === null ? '' : `, ${language}`}`,
  complains: (n: number, round: number) => `Seat ${n}, round ${round}`,
  owed: (n: number, amount: string) => `${amount}, seat ${n}`,
  heldCase: (n: number, acceptor: number, amount: string | null) =>
    `Case ${n}, acceptor ${acceptor}${amount === null ? '' : `, ${amount}`}`,
  level: {
    N: () => 'Play goes on.',
    M: (n: number | null) =>
      n === null ? 'Play goes on; no notes are taken.' : `Play goes on; seat ${n} cannot add notes.`,
    P: () => 'No new round begins until this is cured.',
    H: () => 'The round is held.',
    L: (n: number | null) =>
      n === null ? 'A seat is locked; the others play on.' : `Seat ${n} is locked; the others play on.`,
    X: () => 'Nothing is played and no note is taken.',
  },
  silentSays: 'The table may play on; what it does comes when the link is back.',
  lockedSays: 'Its ledger is in dispute. Nothing is played, taken or paid.',
  clockSays: (minutes: string, ahead: boolean) =>
    `Its clock is ${minutes} min ${ahead ? 'ahead' : 'behind'}.`,
  lateSays: (entries: string) => `Entries come late: ${entries} are still to come.`,
  paceSays: (perHour: number, limit: number, low: boolean) =>
    `${perHour} an hour; the house wants ${low ? 'at least' : 'at most'} ${limit}.`,
  holdSays: (why: string) => `The round is held: ${why}.`,
  isThere: (who: string) => `${who} is at the table.`,
  deals: (who: string) => `Dealer: ${who}.`,
};
export type FloorWords = Readonly<typeof en>;

const pt: FloorWords = {
  title: 'Sala de jogo',
  all: 'Todas',
  others: 'Outras mesas',
  calm: 'calmas',
  fault: 'avaria',
  faults: 'avarias',
  slow: 'aviso',
  slows: 'avisos',
  waiting: 'à espera',
  open: 'abertas',
  seatsOf: (taken, seats) => `${taken} de ${seats} lugares`,
  acknowledge: 'Reconhecer',
  showTable: 'Ver mesa',
  seenBy: (who, at) => `Visto por ${who}, ${at}.`,
  stop: '. ',
  gap: ' ',
  comma: ', ',
  sinceAt: (at) => `desde as ${at}`,
  perHour: 'Jogadas por hora',
  onLast: (percent, weekday) => `${percent} face à última ${weekday}`,
  stale: 'Sem contacto com a central. O que está aqui é antigo, desde as',
  again: 'Carregar de novo',
  noScript: 'Sem JavaScript esta página fica parada e não avisa ninguém.',
  notSent: 'Não foi possível enviar. Tente de novo.',
  noAlarm: 'Ninguém espera e nada falha.',
  trail: 'Todos os alarmes',
  board: 'O quadro',
  centre: 'Terminais',
  older: 'Anteriores',
  opened: 'Aberto',
  cured: 'Resolvido',
  seen: 'Visto por',
  stands: 'por resolver',
  nobody: 'ninguém',
  none: 'Nada.',
  table: 'Mesa',
  what: 'O quê',
  since: 'Desde',
  close: 'Fechar',
  state: 'Estado',
  round: 'Jogada',
  dealer: 'Croupier',
  seats: 'Lugares',
  game: 'Jogo',
  link: 'Ligação',
  linkUp: 'ligada, tudo recebido',
  linkLate: (entries) => `faltam ${entries} registos`,
  linkSilent: (at) => `sem contacto desde as ${at}`,
  linkNever: 'nunca houve contacto',
  software: 'Programa',
  profile: 'Perfil',
  name: 'Nome',
  waits: 'Alarmes',
  more: 'Tudo deste terminal',
  seatTaken: 'lugar ocupado',
  seatFree: 'livre',
  seatWaits: 'lugar à espera',
  states: {
    off: 'Desligada',
    closed: 'Fechada',
    service: 'Em serviço',
    locked: 'Bloqueada',
    held: 'Suspensa',
    silent: 'Sem contacto',
    between: 'Entre jogadas',
    betting: 'Apostas abertas',
    playing: 'Cartas em jogo',
    paying: 'A pagar',
  },
  games: { blackjack: 'Black Jack', baccarat: 'Bacará', war: 'Desafio ao Casino', other: 'Outro jogo' },
  languages: { 'zh-Hant': 'chinês', pt: 'português', en: 'inglês' },
  holds: {
    recovery: 'recupera de um reinício',
    'unexpected-card': 'saiu uma carta que não era devida',
    'doubtful-card': 'há uma carta duvidosa',
    'card-gap': 'falta uma carta',
    misdeal: 'erro na distribuição',
    books: 'as contas não conferem',
    unread: 'um pagamento aguarda segunda leitura',
  },
  devices: {
    acceptor: 'Aceitador',
    shoe: '«Shoe»',
    printer: 'Impressora',
    cabinet: 'Armário',
    ups: 'UPS',
  },
  kinds: {
    fault: 'Avaria',
    hold: 'Jogada suspensa',
    call: 'Chamada',
    complaint: 'Reclamação',
    'hand-pay': 'Pagamento em mão',
    'held-note': 'Nota retida',
    silent: 'Sem contacto',
    locked: 'Dinheiro bloqueado',
    clock: 'Relógio errado',
    late: 'Ligação lenta',
    'pace-low': 'Poucas jogadas',
    'pace-high': 'Jogadas a mais',
  },
  seat: (n) => `Lugar ${n}`,
  speaks: (n, language) => `Lugar ${n}${language === null ? '' : `, ${language}`}`,
  complains: (n, round) => `Lugar ${n}, jogada ${round}`,
  owed: (n, amount) => `${amount}, lugar ${n}`,
  heldCase: (n, acceptor, amount) =>
    `Caso ${n}, aceitador ${acceptor}${amount === null ? '' : `, ${amount}`}`,
  level: {
    N: () => 'O jogo continua.',
    M: (n) =>
      n === null
        ? 'O jogo continua; não se aceitam notas.'
        : `O jogo continua; o lugar ${n} não aceita notas.`,
    P: () => 'Não se abre nova jogada até estar resolvido.',
    H: () => 'A jogada está suspensa.',
    L: (n) =>
      n === null
        ? 'Um lugar está bloqueado; os outros continuam.'
        : `O lugar ${n} está bloqueado; os outros continuam.`,
    X: () => 'Nada se joga e não se aceitam notas.',
  },
  silentSays: 'A mesa pode continuar; os registos chegam quando a ligação voltar.',
  lockedSays: 'O livro está em disputa. Nada se joga, aceita ou paga.',
  clockSays: (minutes, ahead) => `O relógio está ${minutes} min ${ahead ? 'adiantado' : 'atrasado'}.`,
  lateSays: (entries) => `Os registos chegam tarde: faltam ${entries}.`,
  paceSays: (perHour, limit, low) =>
    `${perHour} por hora; a casa quer ${low ? 'pelo menos' : 'no máximo'} ${limit}.`,
  holdSays: (why) => `A jogada está suspensa: ${why}.`,
  isThere: (who) => `${who} está na mesa.`,
  deals: (who) => `Croupier: ${who}.`,
};

const zh: FloorWords = {
  title: '博彩區',
  all: '全部',
  others: '其他牌桌',
  calm: '正常',
  fault: '故障',
  faults: '故障',
  slow: '警告',
  slows: '警告',
  waiting: '等候',
  open: '桌開放',
  seatsOf: (taken, seats) => `${seats} 個座位，${taken} 人在座`,
  acknowledge: '確認',
  showTable: '查看牌桌',
  seenBy: (who, at) => `${who} 已於 ${at} 確認。`,
  stop: '：',
  gap: '',
  comma: '，',
  sinceAt: (at) => `自 ${at}`,
  perHour: '每小時局數',
  onLast: (percent, weekday) => `較上${weekday} ${percent}`,
  stale: '與中央失去聯絡。畫面資料已過時，自',
  again: '重新載入',
  noScript: '未啟用 JavaScript，此頁不會更新，亦不會發出警報。',
  notSent: '未能送出，請再試。',
  noAlarm: '無人等候，一切正常。',
  trail: '警報記錄',
  board: '牌桌總覽',
  centre: '終端機',
  older: '較早',
  opened: '發生',
  cured: '解除',
  seen: '確認者',
  stands: '未解除',
  nobody: '無人',
  none: '沒有。',
  table: '牌桌',
  what: '事項',
  since: '始於',
  close: '關閉',
  state: '狀態',
  round: '牌局',
  dealer: '莊荷',
  seats: '座位',
  game: '遊戲',
  link: '連線',
  linkUp: '正常，記錄齊全',
  linkLate: (entries) => `尚有 ${entries} 項記錄待收`,
  linkSilent: (at) => `自 ${at} 起無聯絡`,
  linkNever: '從未聯絡',
  software: '程式',
  profile: '設定檔',
  name: '名稱',
  waits: '警報',
  more: '此終端機的全部資料',
  seatTaken: '有人',
  seatFree: '空位',
  seatWaits: '等候中的座位',
  states: {
    off: '已關機',
    closed: '未開桌',
    service: '維護中',
    locked: '已鎖定',
    held: '牌局暫停',
    silent: '無聯絡',
    between: '等候開局',
    betting: '投注中',
    playing: '派牌中',
    paying: '派彩中',
  },
  games: { blackjack: '二十一點', baccarat: '百家樂', war: '賭場戰爭', other: '其他遊戲' },
  languages: { 'zh-Hant': '中文', pt: '葡文', en: '英文' },
  holds: {
    recovery: '系統恢復中',
    'unexpected-card': '出現非預期牌',
    'doubtful-card': '讀牌不清',
    'card-gap': '缺少一張牌',
    misdeal: '派牌錯誤',
    books: '帳目不符',
    unread: '派彩待再次核算',
  },
  devices: { acceptor: '入鈔機', shoe: '牌靴', printer: '打印機', cabinet: '機櫃', ups: '後備電源' },
  kinds: {
    fault: '故障',
    hold: '牌局暫停',
    call: '召喚職員',
    complaint: '投訴',
    'hand-pay': '人手付款',
    'held-note': '鈔票待核實',
    silent: '無聯絡',
    locked: '款項已鎖定',
    clock: '時鐘不準',
    late: '連線緩慢',
    'pace-low': '局數過少',
    'pace-high': '局數過多',
  },
  seat: (n) => `${n} 號位`,
  speaks: (n, language) => `${n} 號位${language === null ? '' : `，${language}`}`,
  complains: (n, round) => `${n} 號位，第 ${round} 局`,
  owed: (n, amount) => `${n} 號位，${amount}`,
  heldCase: (n, acceptor, amount) => `個案 ${n}，入鈔機 ${acceptor}${amount === null ? '' : `，${amount}`}`,
  level: {
    N: () => '牌局繼續。',
    M: (n) => (n === null ? '牌局繼續，暫不收鈔。' : `牌局繼續，${n} 號位暫不能入鈔。`),
    P: () => '解除前不開新局。',
    H: () => '牌局暫停。',
    L: (n) => (n === null ? '有座位已鎖定，其他座位繼續。' : `${n} 號位已鎖定，其他座位繼續。`),
    X: () => '全桌停止，不收鈔票。',
  },
  silentSays: '牌桌或仍在進行，記錄待連線恢復後送達。',
  lockedSays: '帳冊有爭議，不開局、不收鈔、不付款。',
  clockSays: (minutes, ahead) => `時鐘${ahead ? '快' : '慢'} ${minutes} 分鐘。`,
  lateSays: (entries) => `記錄遲到，尚有 ${entries} 項待收。`,
  paceSays: (perHour, limit, low) => `每小時 ${perHour} 局，公司要求${low ? '至少' : '至多'} ${limit} 局。`,
  holdSays: (why) => `牌局暫停：${why}。`,
  isThere: (who) => `${who} 在場。`,
  deals: (who) => `莊荷：${who}。`,
};

export const FLOOR_WORDS: Readonly<Record<Language, FloorWords>> = { en, pt, 'zh-Hant': zh };

type Names = Readonly<Record<Language, string>>;
const { faults, levels, events } = codes as {
  readonly faults: Readonly<Record<string, string>>;
  readonly levels: Readonly<Record<string, Level>>;
  readonly events: Readonly<Record<string, { readonly name: Names }>>;
};
/** What a fault does to the table, as the terminals' own catalogue says (docs/operations/faults.md). */
export type Level = keyof FloorWords['level'];

/** Of a later version's fault nothing is known but that it is one. */
export function faultOf(fault: string): { readonly name: Names | null; readonly level: Level } {
  const code = Object.hasOwn(faults, fault) ? faults[fault]! : null;
  return {
    name: code === null ? null : (events[code]?.name ?? null),
    level: code === null ? 'M' : (levels[fault] ?? 'M'),
  };
}

// ---- figures, as each language writes them ----

const GROUP: Readonly<Record<Language, string>> = { 'zh-Hant': ',', pt: '\u00a0', en: ',' };
const LOCALE: Readonly<Record<Language, string>> = { 'zh-Hant': 'zh-Hant', pt: 'pt-PT', en: 'en-GB' };

export const integerText = (value: number, lang: Language): string =>
  String(value).replaceAll(/\B(?=(\d{3})+$)/g, GROUP[lang]);

/** Every currency of the terminals has two decimals. */
export function moneyText(minor: number, currency: string, lang: Language): string {
  const digits = String(minor).padStart(3, '0');
  const whole = integerText(Number(digits.slice(0, -2)), lang);
  return `${whole}${lang === 'pt' ? ',' : '.'}${digits.slice(-2)} ${currency}`;
}

/** Local times of the house, 24 hours. */
export interface FloorClock {
  /** '20:11' of this day, else with its day before it. */
  at(ms: number, nowMs: number): string;
  minute(ms: number): string;
  /** With day and second. */
  moment(ms: number): string;
  weekday(ms: number): string;
}

export function floorClock(timeZone: string, lang: Language): FloorClock {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(LOCALE[lang], { timeZone, hourCycle: 'h23', ...options });
  const minute = format({ hour: '2-digit', minute: '2-digit' });
  const day = format({ day: '2-digit', month: '2-digit' });
  const moment = format({ dateStyle: 'short', timeStyle: 'medium' });
  const weekday = format({ weekday: 'long' });
  return {
    minute: (ms) => minute.format(ms),
    at: (ms, nowMs) =>
      day.format(ms) === day.format(nowMs) ? minute.format(ms) : `${day.format(ms)} ${minute.format(ms)}`,
    moment: (ms) => moment.format(ms),
    weekday: (ms) => weekday.format(ms),
  };
}

export { LANGUAGES };
