import type { DeviceIdentity } from './ports.ts';

/**
 * Every simulator carries this mark; its firmware text begins with it, so a driver that knows
 * nothing of it hears it too.
 */
export const SIMULATED = 'SIMULATED';

export const isSimulatedIdentity = (identity: DeviceIdentity): boolean =>
  identity.firmware.startsWith(SIMULATED);

/**
 * The gate of a table that plays for money: throws when a device, or what it says of itself, is a
 * simulator. To be called with every device before it is started and again with each `identity`
 * event.
 */
export function refuseSimulators(
  devices: readonly {
    readonly id: string;
    readonly simulated: boolean;
    readonly identity?: DeviceIdentity;
  }[],
): void {
  const found = devices.filter(
    (device) => device.simulated || (device.identity !== undefined && isSimulatedIdentity(device.identity)),
  );
  if (found.length > 0)
    throw new Error(`simulated devices are refused here: ${found.map((device) => device.id).join(', ')}`);
}
