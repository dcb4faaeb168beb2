/** A screen of the lists: what stands behind the display, and the touches that lead there. */
import type { Locator, Page } from 'playwright-core';
import type { Language } from '../../engine/table/inputs.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { TableView } from '../../wire/view.ts';
import type { Answers } from './service-answers.ts';

/**
 * What stands behind the display: a view of the fixtures, no host any more, or a real host that has
 * played a round, is in service, or has devices that are broken.
 */
export type From = TableView | 'away' | 'played' | 'service' | 'broken';

/** The display as somebody touches it. */
export interface Hands {
  readonly page: Page;
  /** Of all seats, and of service mode. */
  readonly language: Language;
  /**
   * A control of the dealer's edge, which is in two languages; `nth` where several are named so.
   */
  dealer(key: string, values?: Values): Locator;
  /** A control of a seat's panel. */
  seat(seat: number, key: string, values?: Values): Locator;
  service(key: string, values?: Values): Locator;
}
type Values = Readonly<Record<string, string | number>>;

export interface Screen {
  readonly name: string;
  readonly from: From;
  /** Absent: the table. */
  readonly role?: DisplayRole;
  /** What its pages hear where no host is behind them. */
  readonly answers?: Answers;
  readonly touch?: (hands: Hands) => Promise<unknown>;
  /** In the small selection of `npm test`. */
  readonly tested?: true;
  /** Every seat keeps the language the view gives it. */
  readonly mixed?: true;
}
