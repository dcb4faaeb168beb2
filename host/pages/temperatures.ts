import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TrendPage } from '../../wire/pages.ts';

/** Where Linux tells what its sensors measure. */
const SENSORS = '/sys/class/thermal';

/**
 * What every sensor of the machine says now, in thousandths of a degree Celsius, by the name that
 * the machine gives it; one that cannot be read is left out.
 */
export function temperatures(folder = SENSORS): TrendPage['temperatures'] {
  return zonesIn(folder).flatMap((zone) => {
    try {
      const said = (file: string): string => readFileSync(join(folder, zone, file), 'utf8').trim();
      const milliC = Number(said('temp'));
      return Number.isFinite(milliC)
        ? [{ name: `${said('type')} (${zone.slice(ZONE.length)})`, milliC }]
        : [];
    } catch {
      return [];
    }
  });
}

const ZONE = 'thermal_zone';

function zonesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(ZONE))
      .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  } catch {
    // A machine without sensors.
    return [];
  }
}
