/**
 * The page that the code of a receipt opens on a telephone. The receipt is in the fragment of the
 * address; the page is one file and works without a network, but for the word of the centre.
 */
import '@fontsource-variable/noto-sans-hk/index.css';
import './receipt.css';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { rulebookOf } from '../../engine/books.ts';
import { type Currency, wholePartOf } from '../../engine/core/money.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { formatArticles } from '../texts/articles.ts';
import { formatMoment } from '../texts/clock.ts';
import {
  formatMoney,
  formatSigned,
  LANGUAGE_SIGN,
  LANGUAGES,
  LOCALE,
  tableText,
  textOfCode,
} from '../texts/i18n.ts';
import { Felt, tableOfStep } from './felt.tsx';
import {
  askCentre,
  hexOf64,
  judge,
  type ReceiptRound,
  type ReceiptText,
  readFragment,
  type Witness,
} from './judge.ts';

type Shown =
  | { readonly is: 'unread'; readonly why: 'none' | 'cut' | 'wrong' }
  | {
      readonly is: 'read';
      readonly receipt: ReceiptText;
      readonly signed: boolean | null;
      /** Null: it has not answered yet. */
      readonly witness: Witness | null;
    };

/** Whole only when signatures, record and witness hold. */
type Seal = 'whole' | 'ring' | 'octagon';
const sealOf = ({ signed, witness }: Extract<Shown, { is: 'read' }>): Seal => {
  if (signed === false || witness?.said === 'other') return 'octagon';
  return signed && witness?.said === 'same' ? 'whole' : 'ring';
};

/** '2026/05/01 18:30'. */
const minuteOf = (atMs: number, currency: Currency, language: Language): string =>
  formatMoment(atMs, currency, language).replace(/:\d\d$/, '');

const LANGUAGE_KEY = 'receipt language';
function firstLanguage(): Language {
  const wanted = [stored(), ...navigator.languages].map((name) => name.slice(0, 2));
  const known = wanted.flatMap((name) =>
    LANGUAGES.filter((language) => language.startsWith(name) && name !== ''),
  );
  return known[0] ?? 'en';
}
function stored(): string {
  try {
    return localStorage.getItem(LANGUAGE_KEY) ?? '';
  } catch {
    return '';
  }
}

async function open(show: (shown: Shown) => void): Promise<void> {
  const read = await readFragment(location.hash);
  if (read.text === null) return show({ is: 'unread', why: read.why });
  const judged = await judge(read.text);
  if (judged.receipt === null) return show({ is: 'unread', why: 'wrong' });
  const { receipt, signature, signed } = judged;
  show({ is: 'read', receipt, signed, witness: null });
  if (signed === false) return;
  const witness = await askCentre(receipt, signature);
  show({ is: 'read', receipt, signed, witness });
}

function Page() {
  const [language, setLanguage] = useState(firstLanguage);
  const [shown, show] = useState<Shown | null>(null);
  useEffect(() => {
    const read = (): void => void open(show);
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const t = tableText(language);
  useEffect(() => {
    document.documentElement.lang = LOCALE[language];
    document.title = t('receipt.page');
  }, [language, t]);
  const choose = (chosen: Language): void => {
    setLanguage(chosen);
    try {
      localStorage.setItem(LANGUAGE_KEY, chosen);
    } catch {
      // It is chosen again next time.
    }
  };
  return (
    <main>
      {shown?.is === 'unread' && (
        <section class="unread" role="alert">
          <h1>{t('receipt.page')}</h1>
          <p>{t(`receipt.${shown.why}`)}</p>
        </section>
      )}
      {shown?.is === 'read' && <Receipt shown={shown} language={language} />}
      <nav aria-label={t('language.label')}>
        {LANGUAGES.map((each) => (
          <button
            key={each}
            type="button"
            lang={LOCALE[each]}
            aria-label={tableText(each)(`language.${each}`)}
            aria-pressed={each === language}
            onClick={() => choose(each)}
          >
            {LANGUAGE_SIGN[each]}
          </button>
        ))}
      </nav>
    </main>
  );
}

function Receipt({
  shown,
  language,
}: {
  readonly shown: Extract<Shown, { is: 'read' }>;
  readonly language: Language;
}) {
  const { receipt, signed } = shown;
  const { round, terminal, seat, currency } = receipt;
  const t = tableText(language);
  const seal = sealOf(shown);
  return (
    <>
      <header>
        <h1>{t('receipt.title', { game: t(`receipt.game.${gameOf(round)}`), no: round.no })}</h1>
        <p>
          {[terminal, t('seat.name', { seat }), minuteOf(round.openedAtMs, currency, language)].join('  ')}
        </p>
      </header>
      {/* What nobody has signed is not shown as if it had been paid. */}
      {signed !== false && <Paid receipt={receipt} language={language} />}
      <SealBox seal={seal} shown={shown} language={language} />
      {seal !== 'octagon' && (
        <ul class="proven">
          <li class="yes">{t(seal === 'whole' ? 'receipt.proven' : 'receipt.signedOnly')}</li>
          <li class="no">{t(seal === 'whole' ? 'receipt.notProven' : 'receipt.notRecorded')}</li>
        </ul>
      )}
      <details>
        <summary>{t('receipt.details')}</summary>
        <dl>
          <dt>{t('receipt.terminal')}</dt>
          <dd>{terminal}</dd>
          <dt>{t('receipt.roundId')}</dt>
          <dd>{receipt.roundId}</dd>
          <dt>{t('receipt.checkpoint')}</dt>
          <dd>{`${receipt.checkpoint.no} (${receipt.checkpoint.seq})`}</dd>
          <dt>{t('receipt.entryHash')}</dt>
          <dd>{hexOf64(receipt.checkpoint.entryHash)}</dd>
          <dt>{t('receipt.key')}</dt>
          <dd>{hexOf64(receipt.key)}</dd>
        </dl>
      </details>
    </>
  );
}

const gameOf = ({ rulebook }: ReceiptRound): 'blackjack' | 'baccarat' | 'casino-war' =>
  rulebookOf(rulebook)!.game as 'blackjack' | 'baccarat' | 'casino-war';

/** The table, what the round came to, and how. */
function Paid({ receipt, language }: { readonly receipt: ReceiptText; readonly language: Language }) {
  const { round, currency, stakedMinor, returnedMinor, seat } = receipt;
  const t = tableText(language);
  /** Null: the end. */
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    if (at === null) return;
    const timer = setTimeout(() => setAt(at + 1 < round.steps.length ? at + 1 : null), stepMs(round, at));
    return () => clearTimeout(timer);
  }, [at, round]);
  const step = at === null ? undefined : round.steps[at];
  const netMinor = returnedMinor - stakedMinor;
  const word = netMinor > 0 ? t('result.win') : netMinor < 0 ? t('result.lose') : t('result.even');
  const seconds = Math.ceil(round.steps.reduce((sum, _, index) => sum + stepMs(round, index), 0) / 1_000);
  const isOver = step === undefined;
  const main = round.lines.filter(([, , bet]) => bet === 'main');
  return (
    <>
      <Felt
        table={step === undefined ? round : tableOfStep(step)}
        bankName={t('recall.bank')}
        sideName={t('bet.name.player')}
        handName={(of) => (of === seat ? null : t('recall.hand', { seat: of }))}
        staked={formatMoney(stakedMinor, language).replace(/[.,]00$/, '')}
        said={
          isOver && main.length === 1
            ? { text: textOfCode('table', 'outcome', main[0]![3], language), isLuck: netMinor > 0 }
            : null
        }
      />
      <p class="step" role="status">
        {step && stepWords(step, receipt, language)}
      </p>
      <section class="sums" aria-label={t('result.label')}>
        <p class="result">
          <span>{round.isVoid ? t('recall.voided') : word}</span>
          <strong class={netMinor > 0 ? 'luck' : ''}>
            {formatSigned(netMinor, language)} <small>{currency}</small>
          </strong>
        </p>
        {round.byHand === true && <p class="by-hand">{t('recall.byHand')}</p>}
        <p>
          <span>{t('receipt.staked')}</span>
          <b>{formatMoney(stakedMinor, language)}</b>
        </p>
        {round.lines.map((line, index) => (
          <Line key={index} line={line} receipt={receipt} language={language} />
        ))}
        <p class="total">
          <span>{t('receipt.returned')}</span>
          <b>{formatMoney(returnedMinor, language)}</b>
        </p>
      </section>
      {round.steps.length > 0 && (
        <button type="button" class="replay" onClick={() => setAt(at === null ? 0 : null)}>
          <span class={at === null ? 'sign-play' : 'sign-stop'} aria-hidden="true" />
          {at === null ? t('receipt.replay') : t('receipt.stop')}
          {at === null && <small>{t('bet.seconds', { count: seconds })}</small>}
        </button>
      )}
    </>
  );
}

function Line(props: {
  readonly line: ReceiptRound['lines'][number];
  readonly receipt: ReceiptText;
  readonly language: Language;
}) {
  const { line, receipt, language } = props;
  const [seat, hand, bet, outcome, stakeMinor, netMinor, odds, cites] = line;
  const { round } = receipt;
  const t = tableText(language);
  const name =
    bet === 'main'
      ? textOfCode('table', 'outcome', outcome, language)
      : textOfCode('table', 'bet.name', bet, language);
  const place = seat === receipt.seat ? '' : `${t('seat.name', { seat })} · `;
  const isOneOfMore = hand !== null && round.hands.filter((of) => of.startsWith(`${seat}:`)).length > 1;
  const wonMinor = odds !== null && odds[0] > 0 ? wholePartOf(stakeMinor, odds) : null;
  // Bacará art. 18.1: of what the Banker wins, and of nothing else.
  const charged = bet === 'banker' && outcome === 'win' && wonMinor !== null ? wonMinor - netMinor : 0;
  return (
    <p>
      <span>
        {place}
        {isOneOfMore && `${t('hand.short', { n: hand + 1 })} · `}
        {name}
        {odds !== null && wonMinor === netMinor + charged && (
          <> {t('receipt.pays', { odds: `${odds[0]} : ${odds[1]}` })}</>
        )}
        {charged > 0 && <> {t('receipt.commission', { amount: charged })}</>}{' '}
        <small>{formatArticles(cites, round.rulebook, language)}</small>
      </span>
      <b>{formatSigned(netMinor, language)}</b>
    </p>
  );
}

function SealBox({
  seal,
  shown,
  language,
}: {
  readonly seal: Seal;
  readonly shown: Extract<Shown, { is: 'read' }>;
  readonly language: Language;
}) {
  const { receipt, signed, witness } = shown;
  const { checkpoint, currency, round } = receipt;
  const t = tableText(language);
  const time = (atMs: number): string => minuteOf(atMs, currency, language);
  const why = (): string => {
    if (signed === false) return t('receipt.sealWhy.signature');
    if (signed === null) return t('receipt.sealWhy.browser');
    if (witness === null) return '…';
    return witness.said === 'same'
      ? t('receipt.sealWhy.witness', { dealer: round.dealer })
      : t(`receipt.sealWhy.${witness.said}`);
  };
  return (
    <section class={`seal seal-${seal}`} data-seal={seal} role="status">
      <SealSign seal={seal} />
      <div>
        <h2>{t(`receipt.seal.${seal}`)}</h2>
        {seal === 'whole' && (
          <p>{t('receipt.sealWhy.whole', { time: time(checkpoint.atMs), seq: checkpoint.seq })}</p>
        )}
        <p>{why()}</p>
        {seal !== 'octagon' && witness !== null && witness.said !== 'offline' && (
          <p class="quiet">{t('receipt.checked', { time: time(witness.atMs) })}</p>
        )}
      </div>
    </section>
  );
}

/** Each of its own shape, so that it is known in grey too. */
function SealSign({ seal }: { readonly seal: Seal }) {
  if (seal === 'octagon')
    return (
      <svg viewBox="-40 -40 80 80" aria-hidden="true">
        <path d="M-15-37H15L37-15V15L15 37H-15L-37 15V-15Z" fill="currentColor" />
        <path d="M-13-13 13 13M13-13-13 13" stroke="#fff" stroke-width="7" stroke-linecap="round" />
      </svg>
    );
  if (seal === 'ring')
    return (
      <svg viewBox="-40 -40 80 80" aria-hidden="true">
        <circle r="31" fill="none" stroke="currentColor" stroke-width="5" stroke-dasharray="9 7" />
      </svg>
    );
  const teeth = Array.from({ length: 24 }, (_, index) => {
    const angle = (index * Math.PI) / 12;
    return (
      <circle key={index} cx={33 * Math.cos(angle)} cy={33 * Math.sin(angle)} r="5" fill="currentColor" />
    );
  });
  return (
    <svg viewBox="-40 -40 80 80" aria-hidden="true">
      {teeth}
      <circle r="33" fill="currentColor" />
      <circle r="27" fill="none" stroke="#fff" stroke-width="2" />
      <path
        d="M-13 1-4 10 14-9"
        fill="none"
        stroke="#fff"
        stroke-width="6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** As long as it took at the table, within what can be followed and is no wait. */
function stepMs({ steps }: ReceiptRound, index: number): number {
  const took = ((steps[index + 1]?.[0] ?? 0) - steps[index]![0]) * 1_000;
  return Math.min(2_400, Math.max(900, took));
}

/** 'Card dealt', 'Bet placed · Pair 100.00'. */
function stepWords(
  [, kind, seat, bet, amountMinor]: ReceiptRound['steps'][number],
  receipt: ReceiptText,
  language: Language,
): string {
  const t = tableText(language);
  return [
    seat === 0 || seat === receipt.seat ? '' : t('seat.name', { seat }),
    textOfCode('table', 'event', kind, language),
    bet === '' || bet === 'main' ? '' : textOfCode('table', 'bet.name', bet, language),
    amountMinor === 0 ? '' : formatMoney(amountMinor, language),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

if ('serviceWorker' in navigator) navigator.serviceWorker.register('./offline.js').catch(() => {});
render(<Page />, document.getElementById('app')!);
