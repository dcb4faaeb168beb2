/**
 * The section `devices` of a terminal file: which real device hangs where. Without it the terminal
 * has the simulated rack.
 */
import { z } from 'zod';
import { modelNames, modelOf } from '../../hardware/models.ts';
import { openAddress, parseAddress } from '../../hardware/transport/address.ts';
import type { Fitting, Fittings } from './drivers.ts';

const line = z.strictObject({
  baud: z.int().min(300).max(1_000_000),
  dataBits: z.union([z.literal(7), z.literal(8)]),
  parity: z.enum(['none', 'even', 'odd']),
  stopBits: z.union([z.literal(1), z.literal(2)]),
});

const fitted = (kind: 'bill-acceptor' | 'card-shoe') =>
  z
    .strictObject({
      model: z.string(),
      at: z.string(),
      carrier: z.enum(['cdc-acm', 'ftdi', 'cp210x', 'hid']).exactOptional(),
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

export const realDevicesSchema = z
  .strictObject({
    /** By number; with one acceptor per seat its number is the seat's. */
    acceptors: z.record(z.string(), fitted('bill-acceptor')),
    shoe: fitted('card-shoe'),
    simulatorsAllowed: z.boolean().default(false),
  })
  .superRefine(({ acceptors, shoe }, context) => {
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
    ];
    for (const [path, at] of all) {
      const other = taken.get(at);
      if (other !== undefined)
        context.addIssue({ code: 'custom', path: [...path, 'at'], message: `${other} hangs there already` });
      taken.set(at, path.join('.'));
    }
  });

export type RealDevices = Readonly<z.infer<typeof realDevicesSchema>>;

/** The lines to these devices. Nothing is opened yet. */
export function fittingsOf({ acceptors, shoe, simulatorsAllowed }: RealDevices): Fittings {
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
    simulatorsAllowed,
  };
}
