/**
 * The section `devices` of a terminal file: which real device hangs where. Without it the terminal
 * has the simulated rack.
 */
import { z } from 'zod';
import type { Model } from '../../hardware/model.ts';
import { modelNames, modelOf } from '../../hardware/models.ts';
import { openAddress, parseAddress, placeOf } from '../../hardware/transport/address.ts';
import { USB_CARRIERS } from '../../hardware/transport/usb-carrier.ts';
import type { UsbSelector } from '../../hardware/transport/usb-selector.ts';
import type { Fitting, Fittings } from './drivers.ts';

const line = z.strictObject({
  baud: z.int().min(300).max(1_000_000),
  dataBits: z.union([z.literal(7), z.literal(8)]),
  parity: z.enum(['none', 'even', 'odd']),
  stopBits: z.union([z.literal(1), z.literal(2)]),
});

const fitted = (kind: Model['kind']) =>
  z
    .strictObject({
      model: z.string(),
      at: z.string(),
      carrier: z.enum(USB_CARRIERS).exactOptional(),
      line: line.exactOptional(),
      options: z.record(z.string(), z.unknown()).default({}),
    })
    .superRefine(({ model: name, at, carrier, line, options }, context) => {
      const problem = (path: PropertyKey[], message: string): void =>
        context.addIssue({ code: 'custom', path, message });
      const address = parseAddress(at);
      if (!address.ok) problem(['at'], address.error);
      else if (address.address.kind !== 'usb')
        for (const [place, given] of Object.entries({ carrier, line }))
          if (given !== undefined) problem([place], `is for usb: only, not for ${at}`);
      const model = modelOf(name);
      if (model?.kind !== kind) {
        problem(['model'], `'${name}' is no ${kind}; there are ${modelNames(kind)}`);
        return;
      }
      for (const issue of model.options.safeParse(options).error?.issues ?? [])
        problem(['options', ...issue.path], issue.message);
    });

/** What a terminal may have or not. */
export const BESIDES = ['printer', 'cabinet', 'ups'] as const;

export const realDevicesSchema = z
  .strictObject({
    /** By number; with one acceptor per seat its number is the seat's. */
    acceptors: z.record(z.string(), fitted('bill-acceptor')),
    shoe: fitted('card-shoe'),
    printer: fitted('receipt-printer').exactOptional(),
    /** Doors, key switch, tower lamp and siren. */
    cabinet: fitted('cabinet-board').exactOptional(),
    /** The UPS, as upsd of this machine tells of it. */
    ups: fitted('power-supply').exactOptional(),
    simulatorsAllowed: z.boolean().default(false),
  })
  .superRefine(({ acceptors, shoe, ...others }, context) => {
    for (const number of Object.keys(acceptors))
      if (!/^[1-9]\d?$/.test(number))
        context.addIssue({
          code: 'custom',
          path: ['acceptors', number],
          message: 'is no number of an acceptor',
        });
    const taken = new Map<string, string>();
    const all = [
      ...Object.entries(acceptors).map(([number, { at }]) => [['acceptors', number], at] as const),
      [['shoe'], shoe.at] as const,
      ...BESIDES.flatMap((device) =>
        others[device] === undefined ? [] : [[[device], others[device].at] as const],
      ),
    ];
    for (const [path, at] of all) {
      const place = placeOf(at);
      const other = taken.get(place);
      if (other !== undefined)
        context.addIssue({ code: 'custom', path: [...path, 'at'], message: `${other} hangs there already` });
      taken.set(place, path.join('.'));
    }
  });

export type RealDevices = Readonly<z.infer<typeof realDevicesSchema>>;

/** What of it hangs on USB. */
export const usbOf = ({ acceptors, shoe, ...others }: RealDevices): readonly UsbSelector[] =>
  [...Object.values(acceptors), shoe, ...BESIDES.map((device) => others[device])].flatMap((fitted) => {
    const parsed = fitted === undefined ? null : parseAddress(fitted.at);
    return parsed?.ok && parsed.address.kind === 'usb' ? [parsed.address.selector] : [];
  });

/** Of networks that no router of the world leads to. */
const OWN_NETWORK = /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./;

/** Why what stands at this place must not be played for money with; null = it may. */
export function whyNoPlaceForMoney(device: string, at: string): string | null {
  const parsed = parseAddress(at);
  if (!parsed.ok || parsed.address.kind === 'usb') return null;
  // Its word moves no money, and upsd listens on this machine.
  if (device === 'ups' && parsed.address.kind === 'tcp') return null;
  if (parsed.address.kind !== 'serial-server')
    return `${at} is a socket, behind which any program can stand: connect the device by usb:`;
  // A credit is money, and neither these protocols nor TCP show who says it.
  if (device.startsWith('acceptors.'))
    return `${at} is a network, in which anybody could say that a note is in: connect an acceptor by usb:`;
  return OWN_NETWORK.test(parsed.address.host)
    ? null
    : `${at} is no address of a network of its own: a serial server hangs on a cable between it and this machine alone`;
}

/** The lines to these devices. Nothing is opened yet. */
export function fittingsOf({
  acceptors,
  shoe,
  printer,
  cabinet,
  ups,
  simulatorsAllowed,
}: RealDevices): Fittings {
  const fitting = ({ model, at, carrier, line, options }: RealDevices['shoe']): Fitting => {
    const parsed = parseAddress(at);
    if (!parsed.ok) throw new Error(parsed.error);
    const open = openAddress(parsed.address, {
      line: line ?? modelOf(model)?.line ?? null,
      ...(carrier === undefined ? {} : { carrier }),
    });
    return { model, options, open, at };
  };
  return {
    acceptors: new Map(
      Object.entries(acceptors).map(([number, fitted]) => [Number(number), fitting(fitted)] as const),
    ),
    shoe: fitting(shoe),
    printer: printer === undefined ? null : fitting(printer),
    cabinet: cabinet === undefined ? null : fitting(cabinet),
    ups: ups === undefined ? null : fitting(ups),
    simulatorsAllowed,
  };
}
