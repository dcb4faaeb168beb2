import { useEffect, useRef, useState } from 'preact/hooks';
import { PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { Amount } from '../parts/amount.tsx';
import { Icon } from '../parts/icons.tsx';
import { choicesNow, hasTurn, ownBets, panelMode } from '../parts/mode.ts';
import { RulesTab } from '../rules/rules-tab.tsx';
import { useDerived, useStation, useView } from '../station/station.ts';
import { LanguageProvider, useWords } from '../station/words.ts';
import { flashesAt, formatClock } from '../texts/clock.ts';
import { formatMoney, LANGUAGE_SIGN, LANGUAGES } from '../texts/i18n.ts';
import { AheadBody } from './ahead-body.tsx';
import { BetBody, betsShown, useBetPlace } from './bet-body.tsx';
import { CashOutBody } from './cash-out-body.tsx';
import { CentreBody } from './centre-lines.tsx';
import { ComplaintBody, ComplaintButton } from './complaint-body.tsx';
import { DecideBody } from './decide-body.tsx';
import { decisionOf } from './decision.ts';
import { FreeBody, HoldBody, LockedBody, ServiceBody } from './free-body.tsx';
import { useLargeText } from './large-text.ts';
import { LastRound } from './last-round.tsx';
import { LimitBody } from './limit-body.tsx';
import { NoteStrip, WinLines } from './note-strip.tsx';
import type { PanelPlace } from './on-table.ts';
import { OwnRoundsDrawer } from './own-rounds.tsx';
import { ResultBody } from './result-body.tsx';
import { SettingsSheet } from './settings-sheet.tsx';
import { WaitBody } from './wait-body.tsx';

/** One player's panel: everything of a seat that is not on the felt, in the seat's own language. */
export function SeatPanel(props: {
  readonly seat: SeatView;
  /** Absent: the panel stands alone. */
  readonly place?: PanelPlace;
}) {
  return (
    <LanguageProvider value={props.seat.language}>
      <Panel {...props} />
    </LanguageProvider>
  );
}

function Panel({ seat, place }: Parameters<typeof SeatPanel>[0]) {
  const station = useStation();
  const view = useView();
  const { t, language, notice } = useWords();
  // Even money that nobody has asked about stays open until the bank's second card (art. 10.3).
  const [waitsIn, waitIn] = useState<string | null>(null);
  const waits = waitsIn !== null && waitsIn === view.round?.id && decisionOf(choicesNow(seat)).mayWait;
  const due = panelMode(view, seat);
  // A guest's seat is locked: it has no chips to lay, and no room to rise.
  const isLocked = place?.isGuest === true && due === 'bet';
  const mode = isLocked || (due === 'decide' && waits) ? 'wait' : due;
  const passing = useDerived(() => station.notices.value.get(seat.seat) ?? null, [station, seat.seat]);
  const [asked, setComplains] = useState(false);
  // A decision that is due comes before a complaint that has time.
  const complains = asked && !seat.free && mode !== 'decide' && mode !== 'service';
  const { text, contrast, reach, motion, leftHand } = seat.comfort ?? PLAIN_COMFORT;
  const isAhead = mode === 'wait' && !complains && !isLocked && notesAhead(seat, view);
  const betPlace = useBetPlace(seat, view);
  const bets = mode === 'bet' && !complains && betPlace !== null;
  const body = useRef<HTMLDivElement>(null);
  // Betting has sizes of its own: its seconds would ask for them anew with each that goes by.
  useLargeText(body, text === 'large' && mode !== 'bet', mode === 'decide' ? 'letters' : 'zoom');
  return (
    <section
      class={`panel panel-${mode}${hasTurn(view, seat) ? ' panel-turn' : ''}${isAhead ? ' panel-ahead' : ''}${place?.isGuest ? ' panel-guest' : ''}`}
      aria-label={t('seat.name', { seat: seat.seat })}
      lang={language}
      data-seat={seat.seat}
      data-text={text}
      data-contrast={contrast}
      data-reach={reach}
      data-motion={motion}
      data-hand={leftHand ? 'left' : undefined}
      data-bets={bets ? betsShown(seat, view, betPlace) : undefined}
      // read and stepped through by the numbers of the seats, as cards are dealt
      style={
        place && {
          gridColumn: place.column + 1,
          '--from-middle': place.column - (view.seats.length - 1) / 2,
          '--seats': view.seats.length,
          '--middle': place.middle,
          '--wide': place.width,
        }
      }
    >
      <PanelHead seat={seat} view={view} />
      <div class="panel-body" ref={body}>
        <NoteStrip seat={seat} />
        <WinLines seat={seat} />
        {seat.last && !complains && due !== 'decide' && due !== 'service' && (
          <LastRound seat={seat} last={seat.last} />
        )}
        {complains ? (
          <ComplaintBody seat={seat} onDone={() => setComplains(false)} />
        ) : isLocked ? (
          <LockedBody seat={seat} view={view} />
        ) : (
          <Body
            mode={mode}
            seat={seat}
            view={view}
            waits={waits}
            onWait={(yes) => waitIn(yes ? (view.round?.id ?? null) : null)}
          />
        )}
        <p class={passing ? 'panel-notice panel-notice-on' : 'panel-notice'} role="status">
          {passing ? notice(passing) : ''}
        </p>
      </div>
      <footer class="panel-foot">
        <fieldset class="languages" aria-label={t('language.label')}>
          {LANGUAGES.map((each) => (
            <button
              type="button"
              key={each}
              class="language"
              lang={each}
              aria-label={`${LANGUAGE_SIGN[each]} ${t(`language.${each}`)}`}
              aria-pressed={each === language}
              onClick={() => {
                if (each !== language)
                  void station.send(seat.seat, { type: 'set-language', seat: seat.seat, language: each });
              }}
            >
              {LANGUAGE_SIGN[each]}
            </button>
          ))}
        </fieldset>
        {mode !== 'service' && mode !== 'decide' && (
          <ComplaintButton seat={seat} isOpen={complains} onTouch={() => setComplains(!asked)} />
        )}
        <Clock seat={seat} view={view} />
      </footer>
      <SettingsSheet seat={seat} view={view} />
      <OwnRoundsDrawer seat={seat} view={view} />
      <RulesTab seat={seat} view={view} />
    </section>
  );
}

/** The player may note an answer before their turn comes. */
const notesAhead = (seat: SeatView, view: TableView): boolean =>
  seat.ahead !== undefined && (!view.centre || ownBets(view, seat).length > 0);

function Body(props: {
  readonly mode: ReturnType<typeof panelMode>;
  readonly seat: SeatView;
  readonly view: TableView;
  /** They would rather wait than be paid even money now. */
  readonly waits: boolean;
  readonly onWait: (waits: boolean) => void;
}) {
  const { mode, seat, view, waits, onWait } = props;
  switch (mode) {
    case 'service':
      return <ServiceBody />;
    case 'hold':
      return <HoldBody hold={view.hold!} />;
    case 'decide':
      return <DecideBody seat={seat} view={view} onWait={() => onWait(true)} />;
    case 'cash-out':
      return <CashOutBody seat={seat} />;
    case 'result':
      return <ResultBody seat={seat} view={view} result={seat.result!} />;
    case 'limit':
      return <LimitBody seat={seat} session={seat.session!} />;
    case 'bet':
      return <BetBody seat={seat} view={view} />;
    case 'free':
      if (view.centre) return <CentreBody seat={seat} />;
      return <FreeBody seat={seat} view={view} />;
    case 'wait':
      if (notesAhead(seat, view)) return <AheadBody seat={seat} view={view} />;
      if (view.centre && ownBets(view, seat).length === 0) return <CentreBody seat={seat} />;
      return <WaitBody seat={seat} view={view} onEvenMoney={waits ? () => onWait(false) : null} />;
  }
}

function PanelHead({ seat, view }: { seat: SeatView; view: TableView }) {
  const station = useStation();
  const { t, language } = useWords();
  const balance = formatMoney(seat.creditMinor, language);
  const output = useRef<HTMLOutputElement>(null);
  useLargeText(output, seat.comfort?.text === 'large');
  const showsBalance = !seat.free || seat.creditMinor > 0;
  return (
    <header class="panel-head">
      <span class="seat-number" aria-hidden="true">
        {seat.seat}
      </span>
      {showsBalance ? (
        <output ref={output} class={balanceClass(balance)} aria-label={t('seat.balance')}>
          <Amount minor={seat.creditMinor} currency={view.table.currency} language={language} strong />
        </output>
      ) : (
        <span class="balance" />
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={seat.callsAttendant ? t('seat.attendantOff') : t('seat.attendant')}
        aria-pressed={seat.callsAttendant}
        onClick={() => {
          void station.send(seat.seat, { type: 'call-attendant', seat: seat.seat, on: !seat.callsAttendant });
        }}
      >
        <Icon name="bell" />
      </button>
    </header>
  );
}

/** 26 px up to 9,999.99, then one step smaller, then without its currency. */
const balanceClass = (balance: string): string =>
  balance.length > 9 ? 'balance balance-longest' : balance.length > 8 ? 'balance balance-long' : 'balance';

const SESSION_FLASH_MS = 8_000;

/** 12-hour clock; flashes when a player's session begins or ends and at every full ten minutes. */
function Clock({ seat, view }: { seat: SeatView; view: TableView }) {
  const { nowMs } = useStation();
  const { language } = useWords();
  const { currency } = view.table;
  const text = useDerived(() => formatClock(nowMs.value, currency, language), [nowMs, currency, language]);
  const onTen = useDerived(() => flashesAt(nowMs.value), [nowMs]);
  const wasFree = useRef(seat.free);
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (wasFree.current === seat.free) return;
    wasFree.current = seat.free;
    setChanged(true);
    const timer = setTimeout(() => setChanged(false), SESSION_FLASH_MS);
    return () => clearTimeout(timer);
  }, [seat.free]);
  return <time class={onTen || changed ? 'clock clock-flash' : 'clock'}>{text}</time>;
}
