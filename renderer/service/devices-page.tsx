import { useQuery } from '../station/use-query.ts';
import { HealthSign } from './health-sign.tsx';
import type { Part } from './machine.ts';
import { useDeviceState } from './part-panel.tsx';
import { nameOf } from './part-words.ts';
import { DataTable, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

const LIVE_MS = 1_000;

/** Every device with what it is, side by side; a touch leads to it on the map. */
export function DevicesPage(props: {
  readonly parts: readonly Part[];
  readonly onPart: (id: string) => void;
}) {
  const { parts, onPart } = props;
  const words = useServiceWords();
  const { s } = words;
  const stateOf = useDeviceState();
  const page = useQuery({ query: 'devices' }, LIVE_MS);
  return (
    <Loaded from={page}>
      {({ devices }) => (
        <DataTable
          label={s('page.devices')}
          rows={devices.flatMap((device) => {
            const part = parts.find(({ id }) => id === device.view.id);
            return part === undefined ? [] : [{ ...device, part }];
          })}
          keyOf={({ part }) => part.id}
          columns={[
            {
              head: s('page.devices'),
              cell: ({ part }) => (
                <button type="button" class="button device-name" onClick={() => onPart(part.id)}>
                  <HealthSign health={part.health} isNamed /> {nameOf(part, words)}
                </button>
              ),
            },
            { head: s('device.state'), words: true, cell: (device) => stateOf(device) },
            { head: s('device.model'), cell: ({ view, identity }) => identity?.model ?? view.model },
            { head: s('device.serial'), cell: ({ identity }) => identity?.serial || s('device.unknown') },
            {
              head: s('device.firmware'),
              words: true,
              cell: ({ identity }) => identity?.firmware || s('device.unknown'),
            },
          ]}
        />
      )}
    </Loaded>
  );
}
