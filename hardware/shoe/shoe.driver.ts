import type { CardShoe, DeviceClock, OpenTransport, ShoeCapabilities, ShoeEvent } from '../ports.ts';
import { DeviceDriver } from '../transport/device.driver.ts';
import type { Step } from '../transport/machine.ts';
import type { ShoeLine } from './shoe.machine.ts';

type LastSeqOf = Parameters<CardShoe['start']>[1];

/** What the driver of one protocol differs in from that of another. */
export interface ShoeProtocol<State, Event, Command> {
  readonly model: string;
  readonly capabilities: ShoeCapabilities;
  readonly step: Step<State & ShoeLine, Event, Command>;
  readonly initial: State & ShoeLine;
  /** Number of the last event that the host was told. */
  told(state: State): number;
  /** What the machine has to know before its first step. */
  begin?(lastSeqOf: LastSeqOf): Command;
  /** The answer to an event that the machine asks its driver with; null = it is the host's. */
  answer?(event: Event, lastSeqOf: LastSeqOf): Command | null;
  /** How the shoe learns that the host has stored an event; absent where it cannot be. */
  acknowledge?(seq: number): Command;
  /** Whether the shoe that is there reads a card twice; absent = none of this protocol does. */
  rereads?(state: State): boolean;
  /** How it is asked to. */
  readAgain?(seq: number): Command;
}

type Lock = { readonly type: 'lock'; readonly on: boolean };

/** A card shoe as the host knows it, on the machine of its protocol. */
export class ShoeDriver<State extends ShoeLine, Event, Command>
  extends DeviceDriver<State, Event, Command | Lock>
  implements CardShoe
{
  readonly capabilities: ShoeCapabilities;
  readonly #protocol: ShoeProtocol<State, Event, Command | Lock>;

  constructor(
    id: string,
    protocol: ShoeProtocol<State, Event, Command | Lock>,
    openTransport: OpenTransport,
    clock: DeviceClock,
  ) {
    super(id, protocol.model, protocol.step, protocol.initial, openTransport, clock);
    this.capabilities = protocol.capabilities;
    this.#protocol = protocol;
  }

  start(listener: (event: ShoeEvent) => void, lastSeqOf: LastSeqOf): void {
    const { begin, answer } = this.#protocol;
    if (begin !== undefined) this.machine.command(begin(lastSeqOf));
    this.machine.start((event) => {
      const command = answer?.(event, lastSeqOf) ?? null;
      if (command === null) listener(event as ShoeEvent & Event);
      else this.machine.command(command);
    });
  }
  acknowledge(seq: number): void {
    const told = this.#protocol.told(this.machine.state);
    if (seq > told) throw new RangeError(`${this.id}: event ${seq} acknowledged, told so far ${told}`);
    const command = this.#protocol.acknowledge?.(seq);
    if (command !== undefined) this.machine.command(command);
  }
  lock(on: boolean): void {
    this.machine.command({ type: 'lock', on });
  }
  get rereads(): boolean {
    return this.#protocol.rereads?.(this.machine.state) === true;
  }
  readAgain(seq: number): void {
    const command = this.#protocol.readAgain?.(seq);
    if (command === undefined || !this.rereads) throw new RangeError(`${this.id} reads no card twice`);
    this.machine.command(command);
  }
  forget(): void {
    this.machine.forget();
  }
}
