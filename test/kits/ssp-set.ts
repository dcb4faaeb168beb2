/** For tests: an SSP unit, or a script in its place, and a driver at the other end of the line. */
import { COMMAND, encode } from '../../hardware/bill-acceptor/ssp/ssp.codec.ts';
import { createSsp } from '../../hardware/bill-acceptor/ssp/ssp.driver.ts';
import { KEY_COMMANDS, SspSim, type SspSimOptions } from '../../hardware/bill-acceptor/ssp/ssp.sim.ts';
import type { SspOptions } from '../../hardware/bill-acceptor/ssp/ssp-state.machine.ts';
import type { AcceptorEvent, ByteTransport, Note, OpenTransport } from '../../hardware/ports.ts';
import { toHex } from '../../hardware/transport/bytes.ts';
import { HandClock } from '../../hardware/transport/clock.ts';
import { memoryPair } from '../../hardware/transport/memory.transport.ts';
import { seededKeys } from './ssp-drill.ts';
import { linesTo } from './till.ts';

export const MOP_100: Note = { currency: 'MOP', valueMinor: 10_000 };
/** A unit of before the encryption. */
export const PLAIN: Partial<SspSimOptions> = { unknownCommands: KEY_COMMANDS };

/** What goes over the line itself, both ways, under the encryption. */
function overheard(lines: OpenTransport, heard: string[]): OpenTransport {
  return () => {
    const line = lines();
    const wrapped: ByteTransport = {
      name: line.name,
      open: (handlers) => {
        heard.push('open');
        return line.open({
          ...handlers,
          onBytes: (bytes) => {
            heard.push(`in ${toHex(bytes)}`);
            handlers.onBytes(bytes);
          },
        });
      },
      write: (bytes) => {
        heard.push(`out ${toHex(bytes)}`);
        return line.write(bytes);
      },
      close: () => {
        heard.push('close');
        return line.close();
      },
    };
    return wrapped;
  };
}

/** A simulated unit and a driver on a line that is listened to. */
export async function set(sim: Partial<SspSimOptions> = {}, options: SspOptions = {}) {
  const clock = new HandClock();
  const unit = new SspSim({ clock, currencies: ['MOP'], ...sim });
  const events: AcceptorEvent[] = [];
  const line: string[] = [];
  const keys = seededKeys(1);
  const start = () => {
    const driver = createSsp('a', overheard(linesTo(unit, clock), line), clock, options, keys);
    driver.allow([10_000]);
    driver.start((event) => events.push(event));
    return driver;
  };
  const driver = start();
  await clock.turn(8000);
  const money = () => events.filter(({ type }) => !['link', 'state', 'identity'].includes(type)).slice(1);
  const types = () => money().map(({ type }) => type);
  const frames = (of = driver) => of.frames().map(({ direction, hex }) => `${direction} ${hex}`);
  const until = (what: string, type: AcceptorEvent['type']) =>
    clock.turnUntil(what, () => money().at(-1)?.type === type, 30_000);
  const escrow = async () => {
    await clock.turnUntil('mouth open', () => unit.insert(10_000, 'MOP').taken, 30_000);
    await until('escrow', 'escrowed');
  };
  return { clock, unit, driver, start, events, line, money, types, frames, until, escrow };
}
export const state = (events: readonly AcceptorEvent[]) => {
  const last = events.findLast((event) => event.type === 'state');
  return [last?.state, last?.detail];
};
export const out = (frames: readonly string[]): readonly string[] =>
  frames.filter((frame) => frame.startsWith('out ')).map((frame) => frame.slice(4));

/**
 * A unit that says what the test wants, to a driver without encryption; `said` has the commands,
 * and 0 where the host hears that a note is stacked.
 */
export async function scripted(
  polls: readonly (readonly number[])[],
  onAsked: (command: number) => void = () => {},
) {
  const clock = new HandClock();
  const unit = new SspSim({ clock, currencies: ['MOP'], ackNeedsKey: false, ...PLAIN });
  const said: number[] = [];
  const left = [...polls];
  const events: AcceptorEvent[] = [];
  let isScripted = false;
  const open: OpenTransport = () => {
    const [host, far] = memoryPair({ clock, latencyMs: 3 });
    const [near, inner] = memoryPair({ clock });
    unit.plug(inner);
    let question = new Uint8Array(0);
    void near.open({ onBytes: (bytes) => void far.write(bytes), onClose: () => {} });
    void far.open({
      onBytes: (bytes) => {
        question = Uint8Array.from(bytes);
        const [, first = 0, , command = 0] = question;
        said.push(command);
        onAsked(command);
        const isPoll = command === COMMAND.pollWithAck;
        const answer = isScripted && isPoll ? (left.length > 1 ? left.shift() : left[0]) : undefined;
        if (answer === undefined && !(isScripted && command !== COMMAND.sync)) void near.write(bytes);
        else
          void far.write(
            encode({
              seq: first >= 0x80 ? 1 : 0,
              address: 0,
              data: Uint8Array.of(0xf0, ...(answer ?? [])),
            }),
          );
      },
      onClose: () => {},
    });
    return host;
  };
  const driver = createSsp('a', open, clock, { encryption: 'off' });
  driver.allow([10_000]);
  driver.start((event) => {
    events.push(event);
    if (event.type === 'state' && event.state === 'stacked') said.push(0);
  });
  await clock.turn(5000);
  isScripted = true;
  said.length = 0;
  return { clock, driver, events, said };
}
