/**
 * An upsd with one UPS: it answers what it is asked, also what our driver never asks, in the words
 * of the real one.
 */
import type { ByteTransport, DeviceClock } from '../ports.ts';
import { SIMULATED } from '../simulators.ts';
import { CLEAN_LINE, disturb, type LineFaults, seededChance } from '../transport/faults.ts';
import { Plug } from '../transport/plug.sim.ts';
import type { UpsFault } from './nut-faults.ts';

const MOST_LINE = 512;

export interface NutSimOptions {
  readonly clock: DeviceClock;
  readonly seed?: number;
  readonly ups?: string;
}

export class NutSim {
  readonly simulated = true;
  line: LineFaults = CLEAN_LINE;
  readonly #ups: string;
  readonly #chance: ReturnType<typeof seededChance>;
  readonly #plug = new Plug({ onBytes: (bytes) => this.#receive(bytes) });
  #kept = '';
  #powered = true;
  #onBattery = false;
  #low = false;
  #stale = false;
  #old = false;

  constructor(options: NutSimOptions) {
    this.#ups = options.ups ?? 'ups';
    this.#chance = seededChance(options.seed ?? 1);
  }

  plug(transport: ByteTransport): void {
    this.#kept = '';
    this.#plug.put(transport);
  }

  fault(what: UpsFault): void {
    if (what === 'mains-off' || what === 'mains-on') this.#onBattery = what === 'mains-off';
    else if (what === 'low' || what === 'charged') this.#low = what === 'low';
    else if (what === 'battery-old' || what === 'battery-new') this.#old = what === 'battery-old';
    else this.#stale = what === 'stale';
  }

  /** Of the machine upsd runs on: it says nothing. */
  powerOff(): void {
    this.#powered = false;
  }
  powerOn(): void {
    this.#powered = true;
  }

  sight() {
    return { status: this.#status(), stale: this.#stale };
  }

  #status(): string {
    return `${this.#onBattery ? 'OB DISCHRG' : 'OL CHRG'}${this.#low ? ' LB' : ''}${this.#old ? ' RB' : ''}`;
  }

  #vars(): Readonly<Record<string, string>> {
    return {
      'battery.charge': this.#low ? '9' : '100',
      'battery.runtime': this.#low ? '110' : '1810',
      'device.mfr': SIMULATED,
      'device.model': 'UPS',
      'device.serial': 'SIM-UPS-1',
      'driver.name': 'dummy-ups',
      'ups.firmware': `${SIMULATED} 1`,
      'ups.status': this.#status(),
    };
  }

  #receive(bytes: Uint8Array): void {
    if (!this.#powered) return;
    const lines =
      `${this.#kept}${Buffer.from(disturb(bytes, this.line, this.#chance)).toString('latin1')}`.split('\n');
    this.#kept = (lines.pop() ?? '').slice(-MOST_LINE);
    for (const line of lines) this.#answer(line.trim());
  }

  #say(text: string): void {
    this.#plug.write(disturb(Buffer.from(`${text}\n`, 'latin1'), this.line, this.#chance));
  }

  #answer(line: string): void {
    const [verb, what, ups, name] = line.split(/ +/);
    if (verb === 'LOGOUT') return this.#say('OK Goodbye');
    if ((verb !== 'LIST' && verb !== 'GET') || what !== 'VAR') return this.#say('ERR UNKNOWN-COMMAND');
    if (ups !== this.#ups) return this.#say('ERR UNKNOWN-UPS');
    if (this.#stale) return this.#say('ERR DATA-STALE');
    const vars = this.#vars();
    if (verb === 'LIST') {
      const rows = Object.entries(vars).map(([key, value]) => `VAR ${ups} ${key} "${value}"`);
      return this.#say([`BEGIN LIST VAR ${ups}`, ...rows, `END LIST VAR ${ups}`].join('\n'));
    }
    const value = vars[name ?? ''];
    this.#say(value === undefined ? 'ERR VAR-NOT-SUPPORTED' : `VAR ${ups} ${name} "${value}"`);
  }
}
