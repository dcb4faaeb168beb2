/**
 * The rooms inside the big folders. Each may touch what it names and nothing else of the product:
 * other rooms of its folder, and whole folders. A room touches only rooms that stand above it in
 * its list, so no two lean on each other.
 */

export interface Room {
  readonly is: string;
  /** Rooms of the same folder by their names, other folders with a slash at their end. */
  readonly touches: readonly string[];
}

/** Files that lie in a folder itself and not in a room of it: they join the rooms. */
export const IN_THE_FOLDER = '.';

export type Rooms = Readonly<Record<string, Room>>;

const HOST: Rooms = {
  table: {
    is: 'the table as the ledger has it: commits, sealed cards, sessions of seats, and the picture that displays get',
    touches: ['engine/', 'wire/', 'ledger/', 'reader/'],
  },
  program: {
    is: 'which program this is and how its lives began and ended; programs beside it; the ledger a start finds',
    touches: ['wire/', 'ledger/', 'table'],
  },
  watches: {
    is: 'what is looked at beside the devices, each as a fault with beginning and end: disk, copy, chain, clock, link, displays, program',
    touches: ['engine/', 'hardware/', 'wire/', 'ledger/', 'table', 'program'],
  },
  reading: {
    is: 'the second reader: its process, both accounts of every payment, and what its absence means',
    touches: ['engine/', 'wire/', 'reader/', 'table', 'watches'],
  },
  devices: {
    is: 'acceptors, shoe and printer: their drivers, what their words mean for the table, what is recorded of them',
    touches: ['engine/', 'hardware/', 'wire/', 'ledger/', 'table', 'program', 'watches'],
  },
  speech: {
    is: "what is said aloud at the seats: the synthesiser, and the outputs that are a seat's own",
    touches: ['engine/', 'wire/'],
  },
  config: {
    is: 'what this terminal is to be: terminal file, people and their PINs, tables to choose from, changes by two persons, orders of the centre',
    touches: ['engine/', 'wire/', 'ledger/', 'table', 'program', 'watches', 'devices', 'speech'],
  },
  pages: {
    is: 'what displays ask for: pages of service mode, rounds of the past, exports, drills',
    touches: ['engine/', 'wire/', 'ledger/', 'table', 'program', 'watches', 'devices', 'speech', 'config'],
  },
  server: {
    is: 'displays: connections, messages, commands; the picture of a host that stands still',
    touches: ['engine/', 'wire/', 'ledger/', 'table', 'program', 'watches', 'config', 'pages'],
  },
  simulation: {
    is: 'play without people: simulated devices, the demonstration, scripts',
    touches: ['engine/', 'hardware/', 'wire/', 'ledger/', 'table', 'devices', 'config', 'server'],
  },
  [IN_THE_FOLDER]: {
    is: 'the process and `startHost`, which join the rooms',
    touches: [
      'engine/',
      'hardware/',
      'wire/',
      'ledger/',
      'table',
      'program',
      'watches',
      'reading',
      'reader/',
      'devices',
      'speech',
      'config',
      'pages',
      'server',
      'simulation',
    ],
  },
  drills: {
    is: 'a whole host of its own on a copy of the ledger, for the exercises of technicians',
    touches: [
      'engine/',
      'hardware/',
      'wire/',
      'ledger/',
      'table',
      'program',
      'watches',
      'config',
      'server',
      'simulation',
      IN_THE_FOLDER,
    ],
  },
};

const RENDERER: Rooms = {
  texts: {
    is: 'the words of three languages, with money, times and articles in them',
    touches: ['engine/', 'locales/'],
  },
  table: {
    is: 'the felt and all that lies and moves on it: layout, picture, pieces, drawing',
    touches: ['engine/', 'wire/', 'locales/', 'assets/', 'texts'],
  },
  sound: {
    is: 'what is to be heard, and the player of it',
    touches: ['engine/', 'wire/'],
  },
  station: {
    is: 'one display: its line to the host, what it knows and sends, its fingers and keys',
    touches: ['engine/', 'wire/', 'texts', 'table', 'sound'],
  },
  parts: {
    is: 'what several panels and pages are made of: texts in two languages, icons, PIN pad',
    touches: ['engine/', 'wire/', 'texts', 'table', 'station'],
  },
  cues: {
    is: 'what is said and played when something happens',
    touches: ['engine/', 'wire/', 'texts', 'sound', 'station', 'parts'],
  },
  roads: {
    is: 'the roads of baccarat, and the last rounds of the other games',
    touches: ['engine/', 'wire/', 'texts', 'parts'],
  },
  rules: {
    is: 'the rules page of a table',
    touches: ['engine/', 'wire/', 'locales/', 'texts', 'station', 'parts'],
  },
  recall: {
    is: 'a round of the past on the felt, step by step',
    touches: ['engine/', 'wire/', 'texts', 'station', 'parts'],
  },
  receipt: {
    is: 'the page that the code of a receipt opens on a telephone',
    touches: ['engine/', 'ledger/', 'locales/', 'assets/', 'texts'],
  },
  panel: {
    is: 'what people touch at the table: panels of the seats, the edge of the dealer, their dialogs',
    touches: [
      'engine/',
      'hardware/',
      'wire/',
      'texts',
      'table',
      'sound',
      'station',
      'parts',
      'rules',
      'recall',
    ],
  },
  spoken: {
    is: 'spoken help: what a panel says, and touch and keys for players who cannot see it',
    touches: ['engine/', 'wire/', 'texts', 'table', 'sound', 'station', 'parts', 'cues', 'panel'],
  },
  service: {
    is: 'service mode and its pages',
    touches: ['engine/', 'wire/', 'locales/', 'texts', 'table', 'sound', 'station', 'parts', 'rules'],
  },
  [IN_THE_FOLDER]: {
    is: 'the page, which joins the rooms',
    touches: [
      'wire/',
      'engine/',
      'texts',
      'table',
      'sound',
      'station',
      'parts',
      'cues',
      'roads',
      'rules',
      'recall',
      'panel',
      'spoken',
      'service',
    ],
  },
};

export const ROOMS_OF: Readonly<Record<string, Rooms>> = { host: HOST, renderer: RENDERER };
