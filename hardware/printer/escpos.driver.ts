import type { DeviceClock, OpenTransport, PrinterEvent, PrintJob, ReceiptPrinter } from '../ports.ts';
import { DeviceDriver } from '../transport/device.driver.ts';
import { encodeDocument, WPC1252 } from './escpos.codec.ts';
import { initialPrinter, type PrinterCommand, type PrinterState, stepPrinter } from './escpos.machine.ts';
import { draw } from './letters.ts';

export interface EscposOptions {
  /** Of the table of characters Windows-1252, as the printer counts its tables. */
  readonly codePage?: number;
}

/**
 * A printer that speaks ESC/POS behind whatever `openTransport` gives. A document waits until the
 * printer can print; nobody waits for it.
 */
export class EscposPrinter
  extends DeviceDriver<PrinterState, PrinterEvent, PrinterCommand>
  implements ReceiptPrinter
{
  readonly #codePage: number;

  constructor(id: string, openTransport: OpenTransport, clock: DeviceClock, options: EscposOptions = {}) {
    super(id, 'ESC/POS', stepPrinter, initialPrinter(), openTransport, clock);
    this.#codePage = options.codePage ?? WPC1252;
  }

  start(listener: (event: PrinterEvent) => void): void {
    this.machine.start(listener);
  }
  print({ number, items }: PrintJob): void {
    const bytes = encodeDocument(number, items, this.#codePage, draw);
    this.machine.command({ type: 'print', job: { number, bytes } });
  }
  recover(): void {
    this.machine.command({ type: 'recover' });
  }
}
