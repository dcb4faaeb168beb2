import { parseArgs } from 'node:util';
import { listUsb, type UsbClaim, type UsbSight } from '../hardware/transport/usb-devices.ts';

const SIMULATED = [
  { model: 'id003', kind: 'bill-acceptor', what: 'JCM ID-003 acceptor with cash box and note path' },
  { model: 'ksp1', kind: 'card-shoe', what: 'KSP-1 reading shoe with a memory of 512 events' },
];

const idOf = ({ vendorId, productId }: UsbSight): string =>
  [vendorId, productId].map((id) => id.toString(16).padStart(4, '0')).join(':');

function claimText(claim: UsbClaim | null): string {
  if (claim === null) return 'not one of ours';
  return `${claim.driver === null ? 'no driver' : `driver ${claim.driver} over ${claim.transport}`} (${claim.note})`;
}

/**
 * `banca devices [--json]`: what USB shows and which driver would claim it, and the models that can be simulated.
 * Answers 0; 1 when USB is there and cannot be read; 2 for wrong arguments.
 */
export async function devices(argv: string[]): Promise<number> {
  let json: boolean;
  try {
    json = parseArgs({ args: argv, options: { json: { type: 'boolean', default: false } } }).values.json;
  } catch (error) {
    console.error(`banca devices: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
  const usb = await listUsb();
  const noBus = !usb.ok && usb.error.startsWith('There is no USB bus');
  const found = usb.ok ? usb.devices : [];
  if (json)
    console.log(
      JSON.stringify({
        usb: {
          bus: !noBus,
          error: usb.ok ? null : usb.error,
          devices: found.map((device) => ({ id: idOf(device), ...device })),
        },
        simulated: SIMULATED,
      }),
    );
  else {
    if (!usb.ok) console.log(usb.error);
    else if (found.length === 0) console.log('The USB bus is empty.');
    for (const device of found) {
      const name = [device.manufacturer, device.product, device.serial].filter(Boolean).join(' ');
      console.log(`${idOf(device)}  ${name || '(no name)'}: ${claimText(device.claim)}`);
    }
    console.log('Simulated models:');
    for (const { model, kind, what } of SIMULATED)
      console.log(`  ${model.padEnd(6)} ${kind.padEnd(14)} ${what}`);
  }
  return usb.ok || noBus ? 0 : 1;
}
