import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { MOST_PANELS } from '../wire/glass.ts';
import { Heard } from './cues/heard.tsx';
import { Sounds } from './cues/sounds.tsx';
import { Felt } from './felt.tsx';
import { DealerDialogs } from './panel/dealer-dialogs.tsx';
import { Alerts, DealerEdge, DealerStrip, ServiceButton, SimulationCorner } from './panel/dealer-edge.tsx';
import { type DealerDialog, dialogStands } from './panel/dealer-steps.ts';
import { panelsOnTable } from './panel/on-table.ts';
import { Operator } from './panel/operator.tsx';
import { SeatPanel } from './panel/seat-panel.tsx';
import { StaffDeskButton } from './panel/staff-desk.tsx';
import { StaffEnglish } from './panel/staff-english.tsx';
import { bringLetters } from './parts/letters.ts';
import { RecallScreen } from './recall/recall-screen.tsx';
import { LastRounds } from './roads/last-rounds.tsx';
import { Roads } from './roads/roads.tsx';
import { SignPage } from './sign.tsx';
import { SpokenHelp } from './spoken/spoken-help.tsx';
import { startAnew } from './station/kiosk.ts';
import { useStation, useView } from './station/station.ts';
import type { WireState } from './station/wire.ts';
import { formGameOf } from './table/form.ts';
import { allLanguages, houseLanguages, LOCALE, tableText } from './texts/i18n.ts';

/**
 * The whole screen: what the role of this display shows, and the veil whenever the host is not
 * behind it.
 */
export function App() {
  const { wire } = useStation();
  const state = wire.state.value;
  const known = wire.view.value !== null && wire.role.value !== null;
  return (
    <>
      {known && (
        <div class="screen" inert={state !== 'up'} data-role={wire.role.value?.split(':')[0]}>
          <Role role={wire.role.value ?? 'table'} />
        </div>
      )}
      <Veil state={state} known={known} />
    </>
  );
}

const TOUCHED_EVERY_MS = 5_000;

/**
 * While a service session is open the host hears that somebody is there: questions of the pages
 * come without a hand.
 */
function useTouchesOfService(isOpen: boolean): void {
  const { wire } = useStation();
  useEffect(() => {
    if (!isOpen) return;
    let lastMs = Number.NEGATIVE_INFINITY;
    const touched = (): void => {
      if (performance.now() - lastMs < TOUCHED_EVERY_MS) return;
      lastMs = performance.now();
      wire.post({ t: 'touched' });
    };
    addEventListener('pointerdown', touched, true);
    addEventListener('keydown', touched, true);
    return () => {
      removeEventListener('pointerdown', touched, true);
      removeEventListener('keydown', touched, true);
    };
  }, [isOpen, wire]);
}

function Role({ role }: { readonly role: string }) {
  const { wire, felt } = useStation();
  const view = useView();
  const { service, seats, recall, handedOver } = view;
  // What lies on the cloth, and not the present, while a round is recalled.
  const laid = felt.value?.view ?? view;
  const drawn = role === 'table' || role === 'spectator';
  useEffect(() => {
    // Displays with a felt tell it when the felt is there.
    if (!drawn) requestAnimationFrame(() => requestAnimationFrame(() => wire.reportPainted('dom', null)));
  }, [drawn, wire]);
  useTouchesOfService(service !== null);
  const isServed =
    role === 'service' || (role === 'dealer' && service !== null && handedOver?.dealer === true);
  useLayoutEffect(() => {
    // The root's font size depends on it; service mode has the same one on every display.
    document.documentElement.dataset['display'] = isServed ? 'service' : role.split(':')[0]!;
  }, [role, isServed]);
  if (isServed) return <ServiceMode />;
  if (role === 'dealer') return <DealerPage />;
  if (role === 'spectator') return <SignPage />;
  if (role === 'operator') {
    return (
      <main class="operator-page">
        <StaffEnglish />
        <Operator />
      </main>
    );
  }
  const own = /^seat:(\d+)$/.exec(role)?.[1];
  if (own !== undefined) {
    const seat = seats.find((each) => each.seat === Number(own));
    return (
      <>
        {seat && <SeatPanel seat={seat} />}
        {seat && <Heard languages={[seat.language]} />}
        {seat && <SpokenHelp own={seat.seat} />}
      </>
    );
  }
  return (
    <>
      <div
        class="table-layer"
        data-game={formGameOf(laid.table.rulebook)}
        data-recall={recall !== undefined}
        inert={service !== null}
      >
        <Felt />
        {laid.coups && <Roads view={laid} coups={laid.coups} />}
        {laid.tallies && <LastRounds view={laid} tallies={laid.tallies} />}
        {handedOver?.dealer ? <SimulationCorner /> : <DealerEdge />}
        <Sounds />
        <Heard languages={houseLanguages()} />
        <SpokenHelp own={null} />
        <div
          class="panels"
          data-crowded={seats.length > MOST_PANELS || undefined}
          inert={recall !== undefined}
        >
          {panelsOnTable(view).map(({ seat, place }) => (
            <SeatPanel key={seat.seat} seat={seat} place={place} />
          ))}
        </div>
      </div>
      {service && !handedOver?.dealer && (
        <div hidden={recall !== undefined}>
          <ServiceMode />
        </div>
      )}
      {recall && <RecallScreen key={recall.roundId} recall={recall} />}
    </>
  );
}

const serviceMode = signal<FunctionComponent | null>(null);

/**
 * Service mode and its words are a third of the page's code, and a table starts without them. It is
 * shown when its letters are there.
 */
export async function bringServiceMode(): Promise<void> {
  const [{ ServiceMode }] = await Promise.all([import('./service/service-mode.tsx'), bringLetters()]);
  serviceMode.value = ServiceMode;
}

function ServiceMode() {
  const Mode = serviceMode.value;
  useEffect(() => {
    if (serviceMode.peek() === null) bringServiceMode().catch(startAnew);
  }, []);
  return Mode === null ? <div class="service" /> : <Mode />;
}

/** The dealer's own screen: the same strip, large, with its dialogs below it. */
function DealerPage() {
  const view = useView();
  const [dialog, setDialog] = useState<DealerDialog | null>(null);
  return (
    <main class="dealer-page">
      <DealerStrip dialog={dialog} open={setDialog} />
      <div class="dealer-page-matters">
        <Alerts withHold />
        <StaffDeskButton dialog={dialog} open={setDialog} />
        <StaffEnglish />
        <ServiceButton dialog={dialog} open={setDialog} />
      </div>
      <div class="dealer-page-dialog">
        <DealerDialogs dialog={dialog && dialogStands(dialog, view) ? dialog : 'menu'} open={setDialog} />
      </div>
    </main>
  );
}

/** After the page begins, before the veil says that the table is starting. */
const PATIENCE_MS = 500;

/** Calm and complete: while the host is away nothing of the table can be touched or believed. */
function Veil({ state, known }: { readonly state: WireState; readonly known: boolean }) {
  // A host that is there answers before anybody could read.
  const [patient, setPatient] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={`veil veil-${state}${known ? ' veil-known' : ''}`} role="status" aria-hidden={state === 'up'}>
      {state !== 'up' && !patient && (
        <div class="veil-words">
          <span class="veil-sign" aria-hidden="true" />
          {allLanguages().map((language) => (
            <p key={language} lang={LOCALE[language]}>
              {tableText(language)(state === 'refused' ? 'veil.refused' : 'veil.starting')}
              {known && <small>{tableText(language)('veil.safe')}</small>}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
