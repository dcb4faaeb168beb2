import type { DeviceView, TableView } from '../../wire/view.ts';

/** The acceptors of a table by their numbers. */
export const acceptorsIn = ({ devices }: Pick<TableView, 'devices'>) =>
  devices.flatMap((device: DeviceView) =>
    device.kind === 'bill-acceptor' ? [{ ...device, number: Number(/\d+$/.exec(device.id)?.[0]) }] : [],
  );
