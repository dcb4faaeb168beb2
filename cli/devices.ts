import { parseArgs } from 'node:util';
import { MODELS } from '../hardware/models.ts';
import { listUsb, type UsbClaim, type UsbListing, type UsbSight } from '../hardware/transport/usb-devices.ts';

const SIMULATED = Object.entries(MODELS).map(([model, { kind, title }]) => ({ model, kind, what: title }));

function claimText(claim: UsbClaim | null): string {
  if (claim === null) return 'not one of ours';
  const { driver, carrier, note } = claim;
  if (driver === null) return `no driver (${note})`;
  return `${driver === 'profile' ? 'adapter' : `driver ${driver}`} over ${carrier} (${note})`;
}

/**
 * `1-2.3  0403:6001/A1B2  FTDI FT232R: …`: what stands before the name can be written into a
 * profile.
 */
function line(device: UsbSight): string {
  const name = [device.manufacturer, device.product].filter(Boolean).join(' ');
  const serial = device.serial ? `/${device.serial}` : '';
  return `${device.id}${serial}@${device.port}  ${name || '(no name)'}: ${claimText(device.claim)}`;
}

/**
 * `banca devices [--json]`: what USB shows, which driver would claim it and what stands in its way,
 * and the models that can be simulated. Answers 0; 1 when USB is there and cannot be read; 2 for
 * wrong arguments.
 */
export async function devices(argv: string[], list: () => Promise<UsbListing> = listUsb): Promise<number> {
  let json: boolean;
  try {
    json = parseArgs({ args: argv, options: { json: { type: 'boolean', default: false } } }).values.json;
  } catch (error) {
    console.error(`banca devices: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
  const usb = await list();
  const noBus = !usb.ok && usb.problem === 'no-bus';
  const found = usb.ok ? usb.devices : [];
  if (json)
    console.log(
      JSON.stringify({
        usb: { bus: !noBus, error: usb.ok ? null : usb.error, devices: found },
        simulated: SIMULATED,
      }),
    );
  else {
    if (!usb.ok) console.log(usb.error);
    else if (found.length === 0) console.log('The USB bus is empty.');
    for (const device of found) {
      console.log(line(device));
      if (device.problem !== null) console.log(`  ${device.problem}`);
    }
    console.log('Simulated models:');
    for (const { model, kind, what } of SIMULATED)
      console.log(`  ${model.padEnd(9)} ${kind.padEnd(14)} ${what}`);
  }
  return usb.ok || noBus ? 0 : 1;
}
