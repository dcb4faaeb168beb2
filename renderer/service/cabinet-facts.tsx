import { useState } from 'preact/hooks';
import type { DevicePage } from '../../wire/pages.ts';
import { useStation } from '../station/station.ts';
import { Facts } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

const DOORS = ['main', 'drop', 'logic', 'acceptor', 'cabinet'] as const;

type Device = DevicePage['devices'][number];

/** Doors, key switch, lamp and siren, and the way to try the last two. */
export function CabinetFacts({ status }: { readonly status: NonNullable<Device['cabinet']> }) {
  const { wire } = useStation();
  const { s, t, code, fixed, count } = useServiceWords();
  const [refused, setRefused] = useState('');
  const test = async (part: 'lamp' | 'siren'): Promise<void> => {
    const answer = await wire.send({ type: 'test-device', device: 'cabinet', part });
    setRefused(answer.status === 'rejected' ? t(`reject.${answer.code}`) : '');
  };
  const button = (part: 'lamp' | 'siren', label: string) => (
    <button type="button" class="button" disabled={wire.state.value !== 'up'} onClick={() => void test(part)}>
      {label}
    </button>
  );
  const doors = DOORS.map((door) => {
    const off = status.openedOff[door];
    const words = [
      status.open.includes(door) ? s('cabinet.open') : s('cabinet.closed'),
      s('cabinet.times', { n: count(status.opened[door]) }),
      ...(off === 0 ? [] : [s('cabinet.withoutPower', { n: count(off) })]),
    ];
    return [code('door', door), words.join(' · ')] as const;
  });
  return (
    <section aria-label={s('cabinet.doors')}>
      <Facts
        rows={[
          ...doors,
          [s('cabinet.key'), status.key ? s('cabinet.turned') : s('cabinet.notTurned')],
          [s('cabinet.lamp'), `${code('lampPattern', status.upper)}, ${code('lampPattern', status.lower)}`],
          [s('cabinet.siren'), status.siren ? s('cabinet.sounds') : s('cabinet.silent')],
          [s('cabinet.battery'), s('cabinet.volts', { n: fixed(status.batteryMillivolts / 1000, 2) })],
          [s('cabinet.offSeconds'), s('storage.seconds', { n: count(status.offSeconds) })],
        ]}
      />
      <p class="service-bar">
        {button('lamp', s('cabinet.testLamp'))}
        {button('siren', s('cabinet.testSiren'))}
      </p>
      <output class="bad">{refused}</output>
    </section>
  );
}

export function PowerFacts({ status }: { readonly status: NonNullable<Device['power']> }) {
  const { s, percent, count } = useServiceWords();
  const { charge, runtime } = status;
  return (
    <Facts
      rows={[
        [s('cabinet.charge'), charge === null ? s('none') : percent(charge / 100)],
        [
          s('cabinet.runtime'),
          runtime === null ? s('none') : s('rounds.minutes', { n: count(Math.floor(runtime / 60)) }),
        ],
      ]}
    />
  );
}
