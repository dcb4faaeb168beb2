/**
 * The pictures of README.md and of docs/operations/displays.md, as data: `npm run screenshots --
 * --readme` takes them.
 */
import type { Language } from '../../engine/table/inputs.ts';
import type { TableView } from '../../wire/view.ts';
import { simulated, VIEWS } from '../fixtures/views.ts';
import type { Screen } from './screen.ts';
import { SCREENS } from './screens.ts';

/** One of the pictures of README.md. */
export interface Picture {
  /** In docs/pictures/, without its ending. */
  readonly name: string;
  readonly screen: Screen;
  /** Absent: English. */
  readonly language?: Language;
  /** Parts of the screen that stand beside each other in it; absent: all of it. */
  readonly parts?: readonly string[];
  /** Pixels of a screen of 1920 x 1080 that it shows; absent: all of it. */
  readonly clip?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Of the picture, in pixels. */
  readonly width: number;
}
const screen = (name: string): Screen => SCREENS.find((each) => each.name === name)!;
const mixed = (name: string, from: TableView, width = 1600): Picture => ({
  name,
  screen: { name, from, mixed: true },
  width,
});
const threeTongues: TableView = {
  ...VIEWS.offers,
  seats: VIEWS.offers.seats.map((seat) => (seat.seat === 2 ? { ...seat, language: 'pt' } : seat)),
};
export const PICTURES: readonly Picture[] = [
  mixed('round-in-play', VIEWS['2009-play']),
  mixed('baccarat', VIEWS['baccarat-settled']),
  mixed('baccarat-twelve', VIEWS['baccarat12-settled'], 1200),
  mixed('casino-war', VIEWS['war-choice']),
  mixed('portugal-jackpot', VIEWS['pt-play']),
  { ...mixed('languages', threeTongues, 800), parts: [1, 2, 5].map((seat) => `.panel[data-seat="${seat}"]`) },
  { name: 'service-mode', screen: screen('service-round'), width: 1600 },
  {
    name: 'simulation',
    screen: {
      ...screen('dealer-simulation'),
      from: simulated(VIEWS.dealing),
      mixed: true,
    },
    clip: { x: 600, y: 0, width: 1320, height: 560 },
    width: 1320,
  },
  { name: 'display-dealer', screen: screen('dealer-alone'), width: 1000 },
  { name: 'display-seat', screen: screen('seat-alone'), width: 1000 },
  { name: 'display-seat-bets', screen: screen('seat-alone-bets'), language: 'pt', width: 1000 },
  { name: 'display-seat-offers', screen: screen('seat-alone-offers'), language: 'zh-Hant', width: 1000 },
  { name: 'display-sign', screen: screen('sign-baccarat'), width: 1000 },
];
