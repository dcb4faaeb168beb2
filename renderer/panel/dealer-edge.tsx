import { useEffect, useState } from 'preact/hooks';
import { AFTER_ROUND } from '../../wire/after-round.ts';
import type { TableView } from '../../wire/view.ts';
import { Bi, biText, CardSign, useDealerWords } from '../parts/bilingual.tsx';
import { Icon } from '../parts/icons.tsx';
import { useDerived, useSecondsLeft, useStation, useView } from '../station/station.ts';
import type { Words } from '../station/words.ts';
import { LANGUAGE_SIGN, LANGUAGES, textOfCode } from '../texts/i18n.ts';
import { BoxAlerts } from './box-desk.tsx';
import { CentreAlerts } from './centre-lines.tsx';
import { DealerDialogs } from './dealer-dialogs.tsx';
import { type DealerDialog, dialogStands, stepButton, stepText } from './dealer-steps.ts';
import { useAnnounced } from './hand-pay-dialog.tsx';
import { Operator } from './operator.tsx';
import { StaffDeskButton } from './staff-desk.tsx';
import { StaffEnglish } from './staff-english.tsx';

/**
 * The dealer's edge on top of the table: the one next step, its button, other actions, alerts and
 * service.
 */
export function DealerEdge() {
  const view = useView();
  const [dialog, setDialog] = useState<DealerDialog | null>(null);
  const [asked, setAsked] = useState<'strip' | 'corner'>('strip');
  const [drawer, setDrawer] = useState(false);
  const { demo } = view;
  const openAt = (place: typeof asked) => (next: DealerDialog | null) => {
    setAsked(place);
    setDialog(next);
  };

  const stands = dialog !== null && dialogStands(dialog, view);
  // Only a dialog that this very picture shows: an effect may run after the touch that opened the
  // next one.
  useEffect(() => {
    if (dialog !== null && !stands) setDialog(null);
  }, [dialog, stands]);

  return (
    <section
      class="dealer-edge"
      data-turned={view.table.display?.dealerEdge === 'turned'}
      aria-label={biText((t) => t('dealer.label'))}
    >
      <Alerts withHold={false} />
      <DealerStrip open={openAt('strip')} dialog={dialog} />
      {!stands && !drawer && <Started />}
      <div class="corner">
        <StaffDeskButton dialog={dialog} open={openAt('corner')} />
        <SimulationButton isOpen={drawer} onTouch={() => setDrawer(!drawer)} />
        <StaffEnglish />
        <ServiceButton dialog={dialog} open={openAt('corner')} />
      </div>
      {dialog && stands && (
        <div class="dealer-popover" data-asked={asked}>
          <DealerDialogs dialog={dialog} open={setDialog} />
        </div>
      )}
      {demo && drawer && (
        <div class="operator-drawer">
          <Operator />
        </div>
      )}
    </section>
  );
}

/** Characters of a hash to compare over a telephone; the page of software has it whole. */
const SHOWN = 12;

/**
 * What has started here, as long as nobody deals and nothing is opened over it: program, table, and
 * the languages it speaks.
 */
function Started() {
  const { program } = useView();
  const [{ t, language }] = useDealerWords() as readonly [Words, ...Words[]];
  if (program === undefined) return null;
  const { version, id, table } = program;
  return (
    <p class="started" lang={language}>
      {t('veil.program', { version, id: id.slice(0, SHOWN), table: table.slice(0, SHOWN) })} ·{' '}
      {LANGUAGES.map((language) => LANGUAGE_SIGN[language]).join(' · ')}
    </p>
  );
}

export function ServiceButton(props: {
  readonly dialog: DealerDialog | null;
  readonly open: (dialog: DealerDialog | null) => void;
}) {
  return (
    <button
      type="button"
      class="button button-service"
      aria-label={biText((t) => t('service.button'))}
      onClick={() => props.open(props.dialog === 'service' ? null : 'service')}
    >
      <Bi text={(t) => t('service.button')} />
    </button>
  );
}

/** Opens the hands of the simulation; where there are none it only says that this is one. */
function SimulationButton(props: { readonly isOpen: boolean; readonly onTouch: () => void }) {
  const { demo, simulation } = useView();
  if (demo)
    return (
      <button
        type="button"
        class={props.isOpen ? 'button button-sim button-sim-on' : 'button button-sim'}
        aria-expanded={props.isOpen}
        onClick={props.onTouch}
      >
        <Bi text={(t) => t('sim.title')} />
      </button>
    );
  return simulation ? (
    <p class="sim-mark">
      <Bi text={(t) => t('sim.title')} />
    </p>
  ) : null;
}

/** All that is left of the dealer's edge on the big table while the dealer has a display. */
export function SimulationCorner() {
  const { demo } = useView();
  const [drawer, setDrawer] = useState(false);
  return (
    <section class="dealer-edge" aria-label={biText((t) => t('sim.title'))}>
      <div class="corner">
        <SimulationButton isOpen={drawer} onTouch={() => setDrawer(!drawer)} />
      </div>
      {demo && drawer && (
        <div class="operator-drawer">
          <Operator />
        </div>
      )}
    </section>
  );
}

/** The fault for which no card is dealt, or no round opened. */
function whyStopped({ hold, ledgerFaults }: TableView): string | null {
  if (hold === null) return ledgerFaults.find((fault) => AFTER_ROUND.has(fault)) ?? null;
  return hold.code === 'shoe-fault' || hold.code === 'machine-fault' ? hold.detail : null;
}

export function DealerStrip(props: {
  readonly dialog: DealerDialog | null;
  readonly open: (dialog: DealerDialog | null) => void;
}) {
  const station = useStation();
  const view = useView();
  const { step } = view.dealer;
  const button = stepButton(step, view.shoe.handLoaded);
  const words = useDealerWords();
  const untilMs = step.step === 'read-results' ? step.untilMs : (view.deadline?.atMs ?? null);
  const seconds = useSecondsLeft(untilMs);
  const hands = 'seat' in step ? (view.seats.find((seat) => seat.seat === step.seat)?.hands.length ?? 0) : 0;
  const passing = useDerived(() => station.notices.value.get('dealer') ?? null, [station]);
  const card = view.hold?.card ?? null;
  const fault = step.step === 'call-supervisor' ? whyStopped(view) : null;

  // a long sentence leaves the article its line
  const long = words.some(
    ({ language, t }, index) =>
      stepText(step, hands, t).length > (language === 'zh-Hant' ? 16 : index === 0 ? 34 : 42),
  );
  return (
    <div class={`strip${view.hold ? ' strip-hold' : ''}${long ? ' strip-long' : ''}`} data-step={step.step}>
      <div class="strip-text" role="status" aria-live="polite">
        {words.map(({ language, t, notice }, index) => (
          <p key={language} lang={language} class={index === 0 ? 'strip-first' : 'strip-second'}>
            {passing ? (
              <span class="strip-notice">{notice(passing)}</span>
            ) : (
              <>
                <span>{stepText(step, hands, t)}</span>
                {index === 0 && card !== null && step.step === 'resolve-card' && <CardSign card={card} />}
                {fault !== null && (
                  <span class="strip-fault">{textOfCode('table', 'fault', fault, language)}</span>
                )}
              </>
            )}
          </p>
        ))}
        {step.cites.length > 0 && !passing && (
          <p class="strip-cites">
            {words.map(({ language, articles }) => (
              <span key={language} lang={language}>
                {articles(step.cites)}
              </span>
            ))}
          </p>
        )}
      </div>
      {seconds !== null && (
        <span class={seconds <= 5 ? 'strip-seconds seconds-last' : 'strip-seconds'}>{seconds}</span>
      )}
      {button && (
        <button
          type="button"
          class="button button-confirm"
          onClick={() => {
            if ('command' in button) void station.send('dealer', button.command);
            else props.open(props.dialog === button.dialog ? null : button.dialog);
          }}
        >
          <Bi text={(t) => t(`confirm.${button.label}`)} />
        </button>
      )}
      <button
        type="button"
        class="button button-menu"
        aria-label={biText((t) => t('dealer.others'))}
        aria-expanded={props.dialog === 'menu'}
        onClick={() => props.open(props.dialog === 'menu' ? null : 'menu')}
      >
        <Icon name="menu" />
      </button>
    </div>
  );
}

/**
 * What needs the dealer's eye beside the next step: calls, hand-pays, words of the centre, and a
 * hold where no felt shows it.
 */
export function Alerts({ withHold }: { readonly withHold: boolean }) {
  const view = useView();
  const calls = view.seats.filter((seat) => seat.callsAttendant).map((seat) => seat.seat);
  const { hold } = view;
  // One line for the queue, which stands whole at the staff's desk.
  const [longest] = view.handPays;
  return (
    <ul class="alerts">
      {withHold && hold && (
        <li class="alert alert-hold">
          <Bi text={(t) => t(`hold.${hold.code}`)} />
        </li>
      )}
      {calls.length > 0 && (
        <li class="alert alert-call">
          <Icon name="bell" />
          <Bi text={(t) => t('dealer.calls', { seats: calls.join(' · ') })} />
        </li>
      )}
      {longest && <HandPayAlert pay={longest} others={view.handPays.length - 1} />}
      {view.complaints.map(({ complaintNo, seat, roundNo }) => (
        <li class="alert alert-call" key={complaintNo}>
          <Icon name="flag" />
          <Bi text={(t) => t('complaint.alert', { seat, no: roundNo })} />
        </li>
      ))}
      {view.devices.map(
        ({ id, kind, fault }) =>
          kind === 'bill-acceptor' &&
          fault !== null && (
            <li class="alert" key={id}>
              <Bi
                text={(t, language) =>
                  t('dealer.deviceFault', {
                    where: t('seat.name', { seat: Number(id.slice(id.lastIndexOf('-') + 1)) }),
                    fault: textOfCode('table', 'fault', fault, language),
                  })
                }
              />
            </li>
          ),
      )}
      <CentreAlerts />
      <BoxAlerts />
    </ul>
  );
}

function HandPayAlert(props: { readonly pay: TableView['handPays'][number]; readonly others: number }) {
  const { seat, amountMinor, sinceMs } = props.pay;
  return (
    <li class={useAnnounced(sinceMs) ? 'alert alert-announced' : 'alert'}>
      <Bi text={(t) => t('dealer.handPay', { seat, amount: amountMinor })} />
      {props.others > 0 && <b>{`+${props.others}`}</b>}
    </li>
  );
}
