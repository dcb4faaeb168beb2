import { useSignal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';
import { ID003_FAULTS } from '../../hardware/bill-acceptor/id003/id003-faults.ts';
import { CABINET_FAULTS } from '../../hardware/cabinet/kcb1/kcb1-faults.ts';
import { UPS_FAULTS } from '../../hardware/power/nut-faults.ts';
import { ESCPOS_FAULTS } from '../../hardware/printer/escpos-faults.ts';
import { SHOE_FAULTS } from '../../hardware/shoe/ksp1/ksp1-faults.ts';
import type { Command } from '../../wire/commands.ts';
import { Bi, biText } from '../parts/bilingual.tsx';
import { Icon } from '../parts/icons.tsx';
import { useStation, useView } from '../station/station.ts';
import { columnOf, dealerSideOf } from '../table/seating.ts';
import { formatMoney, houseLanguage } from '../texts/i18n.ts';
import { chipLabel } from './chip.tsx';

/** What the simulators can be told to do wrong and to put right again. */
const FAULTS_OF = {
  'bill-acceptor': ID003_FAULTS,
  'card-shoe': SHOE_FAULTS,
  'receipt-printer': ESCPOS_FAULTS,
  'cabinet-board': CABINET_FAULTS,
  'power-supply': UPS_FAULTS,
} as const;

const NOTE_KEYS = 'qwertyuio';
/** The upper row of a keyboard, seat 1 first. */
const SEAT_KEYS = '1234567890-=';

/**
 * The hands of the simulation: notes into acceptors, cards out of the shoe, faults. Exists only
 * with simulated devices and says so. The same by keyboard: 1..9 0 - = choose the seat, q w e …
 * insert the notes in order, d draws a card, l loads the shoe, a and p switch the automatic dealer
 * and players.
 */
export function Operator() {
  const station = useStation();
  const view = useView();
  const { demo, table, seats, devices } = view;
  // A signal and not a state: a note key may follow the seat key before the page has drawn again.
  const chosen = useSignal(1);
  const shared = table.acceptors === 'shared';
  const insert = (valueMinor: number): void =>
    send({ type: 'sim-insert-note', acceptor: shared ? 1 : chosen.value, valueMinor });
  const send = (command: Command): void => void station.send('dealer', command);
  const auto = (change: { dealer?: boolean; players?: boolean }): void =>
    send({
      type: 'sim-auto',
      dealer: change.dealer ?? demo?.autoDealer ?? false,
      players: change.players ?? demo?.autoPlayers ?? false,
    });

  // The keys are the drawer's from its first moment on.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      // A PIN that is being typed is nobody else's key.
      if (event.target instanceof Element && event.target.closest('[role=dialog], input, select')) return;
      const key = event.key.toLowerCase();
      const note = table.notesMinor[NOTE_KEYS.indexOf(key)];
      const seat = SEAT_KEYS.indexOf(key) + 1;
      if (seat > 0 && seat <= seats.length) chosen.value = seat;
      else if (NOTE_KEYS.includes(key) && note !== undefined) insert(note);
      else if (key === 'd') send({ type: 'sim-draw-card' });
      else if (key === 'l') send({ type: 'sim-load-shoe' });
      else if (key === 'a') auto({ dealer: !demo?.autoDealer });
      else if (key === 'p') auto({ players: !demo?.autoPlayers });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });

  if (!demo) return null;
  return (
    <fieldset class="operator" aria-label={biText((t) => t('sim.title'))}>
      <p class="sim-mark">
        <Bi text={(t) => t('sim.title')} />
      </p>
      {shared ? (
        <p class="dialog-text">
          <Bi text={(t) => t('sim.shared')} />
        </p>
      ) : (
        <fieldset class="seat-keys" aria-label={biText((t) => t('sim.keySeat'))}>
          {seats.map(({ seat }) => (
            <button
              type="button"
              key={seat}
              class="key seat-key"
              style={{ order: columnOf(seat, seats.length, dealerSideOf(view)) }}
              aria-label={biText((t) => t('seat.name', { seat }))}
              aria-pressed={seat === chosen.value}
              onClick={() => {
                chosen.value = seat;
              }}
            >
              {seat}
            </button>
          ))}
        </fieldset>
      )}
      <fieldset class="sim-row" aria-label={biText((t) => t('sim.note'))}>
        {table.notesMinor.map((note, index) => (
          <button
            type="button"
            key={note}
            class="button button-note"
            aria-label={biText((t) => t('sim.insert', { amount: note }))}
            title={formatMoney(note, houseLanguage())}
            onClick={() => insert(note)}
          >
            {chipLabel(note)} <kbd>{NOTE_KEYS[index]}</kbd>
          </button>
        ))}
      </fieldset>
      <div class="sim-row">
        <button type="button" class="button" onClick={() => send({ type: 'sim-draw-card' })}>
          <Bi text={(t) => t('sim.drawCard')} /> <kbd>d</kbd>
        </button>
        <button type="button" class="button" onClick={() => send({ type: 'sim-load-shoe' })}>
          <Bi text={(t) => t('sim.loadShoe')} /> <kbd>l</kbd>
        </button>
      </div>
      <div class="sim-row">
        <button
          type="button"
          class="button button-switch"
          role="switch"
          aria-checked={demo.autoDealer}
          onClick={() => auto({ dealer: !demo.autoDealer })}
        >
          <Bi text={(t) => t('sim.autoDealer')} /> <kbd>a</kbd>
        </button>
        <button
          type="button"
          class="button button-switch"
          role="switch"
          aria-checked={demo.autoPlayers}
          onClick={() => auto({ players: !demo.autoPlayers })}
        >
          <Bi text={(t) => t('sim.autoPlayers')} /> <kbd>p</kbd>
        </button>
      </div>
      <Faults
        devices={devices.map((device) => device.id)}
        kinds={devices.map((device) => device.kind)}
        send={send}
      />
    </fieldset>
  );
}

function Faults(props: {
  readonly devices: readonly string[];
  readonly kinds: readonly (keyof typeof FAULTS_OF)[];
  readonly send: (command: Command) => void;
}) {
  const { devices, kinds } = props;
  const [device, setDevice] = useState(0);
  const [fault, setFault] = useState(0);
  const id = devices[device];
  if (id === undefined) return null;
  const faults = FAULTS_OF[kinds[device] ?? 'bill-acceptor'];
  const name = faults[Math.min(fault, faults.length - 1)]!;
  return (
    <fieldset class="sim-row sim-faults" aria-label={biText((t) => t('sim.faults'))}>
      <select
        aria-label={biText((t) => t('sim.device'))}
        value={device}
        onChange={(event) => {
          setDevice(Number(event.currentTarget.value));
          setFault(0);
        }}
      >
        {devices.map((each, index) => (
          <option key={each} value={index}>
            {each}
          </option>
        ))}
      </select>
      <select
        aria-label={biText((t) => t('sim.faults'))}
        value={fault}
        onChange={(event) => setFault(Number(event.currentTarget.value))}
      >
        {faults.map((each, index) => (
          <option key={each} value={index}>
            {biText((t) => t(`sim.fault.${each}`))}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="button button-fault"
        aria-label={`${biText((t) => t('sim.faults'))} ${id} ${biText((t) => t(`sim.fault.${name}`))}`}
        onClick={() => props.send({ type: 'sim-fault', device: id, fault: name })}
      >
        <Icon name="fault" />
      </button>
    </fieldset>
  );
}
