import type { AcceptorEvent, AcceptorState, BillAcceptor, Note } from '../ports.ts';
import { DeviceDriver } from '../transport/device.driver.ts';
import type { AcceptorCommand, AcceptorLine } from './acceptor.machine.ts';

/** A bill acceptor as the host knows it, on the machine of its protocol. */
export class AcceptorDriver<State extends AcceptorLine>
  extends DeviceDriver<State, AcceptorEvent, AcceptorCommand>
  implements BillAcceptor
{
  start(listener: (event: AcceptorEvent) => void): void {
    this.machine.start(listener);
  }
  allow(notesMinor: readonly number[]): void {
    for (const value of notesMinor)
      if (!Number.isSafeInteger(value) || value <= 0)
        throw new RangeError(`${this.id}: note of ${value} minor units cannot be allowed`);
    this.machine.command({ type: 'allow', notesMinor });
  }
  tryNotes(): void {
    this.machine.command({ type: 'try-notes' });
  }
  confirm(notes: Readonly<Record<string, Note>>): void {
    this.machine.command({ type: 'confirm', notes });
  }
  stack(): void {
    this.machine.command({ type: 'stack' });
  }
  returnNote(): void {
    this.machine.command({ type: 'return' });
  }
  hold(): void {
    this.machine.command({ type: 'hold' });
  }
  acknowledgeCredit(): void {
    this.machine.command({ type: 'acknowledge-credit' });
  }
  state(): AcceptorState {
    return this.machine.state.reported;
  }
}
