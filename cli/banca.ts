#!/usr/bin/env node
/** `banca`: the one program of the auditor and the technician. */
import { plainLines } from '../ledger/chain/plain-line.ts';
import { LedgerDamaged, LedgerUnusable } from '../ledger/store/errors.ts';
import { CannotRun, type Command, DoesNotHold } from './command.ts';

/** Each is loaded when it is asked for: `banca --help` must not wait for SQLite and USB. */
const COMMANDS: Readonly<Record<string, Command>> = {
  host: {
    usage:
      '--data DIR [--profile FILE] [--tables DIR] [--table NAME] [--port N] [--headless] [--rack DIR] [--copy DIR] [--witness DIR] [--upstream URL] [--demo | --sim SCRIPT] [--production | --simulators-allowed] [--check]',
    summary: 'runs the terminal without a window; one line of JSON on stdout when it is ready',
    run: async (argv) => (await import('./host.ts')).host(argv),
  },
  verify: {
    usage: 'DB [--json]\n       banca verify --archive SEAL|DIR | --export DIR --key FILE|BASE64 [--json]',
    summary:
      'chain, signatures, postings and books of a ledger, names the first bad entry; or archives and exports of the terminal with that key',
    run: async (argv) => (await import('./verify.ts')).verify(argv),
  },
  archive: {
    usage: 'DB --out DIR [--until TIME|SEQ] [--json]',
    summary: 'a copy of the entries since the last archive, sealed with the key of the terminal',
    run: async (argv) => (await import('./archive.ts')).archive(argv),
  },
  storage: {
    usage: 'DB [--profile FILE] [--json]',
    summary: 'what a ledger takes on the disk, how it grows, how long its budget lasts',
    run: async (argv) => (await import('./storage.ts')).storage(argv),
  },
  repair: {
    usage: 'DB [--copy PATH] [--json]',
    summary: 'mends the ledger of a terminal that stands still from its copy, and the copy from the ledger',
    run: async (argv) => (await import('./repair.ts')).repair(argv),
  },
  restore: {
    usage: '--data DIR [--profile FILE] [--upstream URL] [--copy DIR] [--witness DIR] [--word FILE]',
    summary:
      "brings a ledger in dispute back by the centre's signed word and two persons; without a word says what is in dispute",
    run: async (argv) => (await import('./restore.ts')).restore(argv),
  },
  wipe: {
    usage: '--data DIR [--profile FILE] [--copy DIR] [--witness DIR]',
    summary:
      'ends the ledger of a terminal by two persons, and keeps its folder; the next start begins another',
    run: async (argv) => (await import('./wipe.ts')).wipe(argv),
  },
  replay: {
    usage: 'DB [--round ID] [--json]',
    summary: 'plays the stored events again and compares the state at every round end with the live one',
    run: async (argv) => (await import('./replay.ts')).replay(argv),
  },
  recall: {
    usage: 'DB [--round NO|ID] [--json]',
    summary: 'a round as it was: cards, bets, credits, amounts with articles, corrections, errors, steps',
    run: async (argv) => (await import('./recall.ts')).recall(argv),
  },
  meters: {
    usage: 'DB [--as-of TIME|SEQ] [--from TIME|SEQ] [--by SLICE] [--json]',
    summary: 'all meters from the stored entries up to a time or an entry, of a period, by seat or game',
    run: async (argv) => (await import('./meters.ts')).meters(argv),
  },
  day: {
    usage:
      'LEDGER.db --closings FILE | --centre URL --password FILE --terminal ID [--closings FILE] [--save FILE] [--key FILE|BASE64] [--statement FILE] [--json]',
    summary: 'signed closings of gaming days against the entries of their table: equal, or where not',
    run: async (argv) => (await import('./day.ts')).day(argv),
  },
  export: {
    usage: 'DB --out DIR [--json] [--progress]',
    summary: 'entries, postings, events, meters, recordings and a copy of a ledger, with a signed manifest',
    run: async (argv) => (await import('./export.ts')).exportLedger(argv),
  },
  release: {
    usage: '--sign KEY.pem | --check --key FILE|BASE64 [--json]',
    summary: 'the list of all files that decide what this installation does: signs it, or compares with it',
    run: async (argv) => (await import('./release.ts')).release(argv),
  },
  vectors: {
    usage: 'FILE [--json]',
    summary: 'plays a conformance file through the engine',
    run: async (argv) => (await import('./vectors.ts')).vectors(argv),
  },
  devices: {
    usage: '[--json]',
    summary: 'what USB shows and which driver claims it; models that can be simulated',
    run: async (argv) => (await import('./devices.ts')).devices(argv),
  },
  person: {
    usage: '--id ID --name NAME --number NUMBER --role ROLE [--card CARD] [--pin-stdin]',
    summary: 'an entry for the people of a terminal file; the PIN twice on stdin, once with --pin-stdin',
    run: async (argv) => (await import('./person.ts')).person(argv),
  },
  card: {
    usage: '[--socket PATH]',
    summary: 'which staff card lies on the reader, after it has proved it: the `card` of its person',
    run: async (argv) => (await import('./card.ts')).card(argv),
  },
  display: {
    usage: '--profile FILE (--role dealer|spectator|seat:N --key KEY)… [--listen ADDRESS:PORT]',
    summary: 'enrols machines of displays in a terminal file, by their keys',
    run: async (argv) => (await import('./display.ts')).display(argv),
  },
  exclusions: {
    usage: '--out FILE [--json]',
    summary:
      'people who may not play, from the numbers of their documents on stdin; the file holds hashes alone',
    run: async (argv) => (await import('./exclusions.ts')).exclusions(argv),
  },
  device: {
    usage: [
      'sim MODEL --listen stdio|unix:PATH|tcp:PORT [--script FILE|-] [--seed S] [--currency MOP,HKD]',
      'banca device run --driver MODEL --connect usb:SELECTOR|unix:PATH|tcp:PORT [--do SCRIPT] [--auto | --watch] [--record FILE] [--for MS] [--until EVENT] [--options JSON] [--carrier NAME] [--line 9600-8E1] [--stored N]',
      'banca device replay [--driver MODEL] [--options JSON] [--against EVENTS] RECORDING',
    ].join('\n       '),
    summary:
      'offers one simulated device to any host; runs one driver against any device; replays a recording',
    run: async (argv) => (await import('./device.ts')).device(argv),
  },
  rules: {
    usage:
      'RULEBOOK [--options JSON | --profile FILE] [--lang zh-Hant|pt|en] [--on DATE | --poster FILE [--staff]] [--json]',
    summary:
      'how a table with these options plays, what it pays and what the house has chosen, with the articles; as a poster in Chinese and Portuguese',
    run: async (argv) => (await import('./rules.ts')).rules(argv),
  },
  simulate: {
    usage:
      '--rulebook ID [--options JSON] [--strategy NAME|FILE] [--seats K] [--shoe fresh|cut] --rounds N | --until ERROR --seed S [--threads N] [--live] [--json]',
    summary: 'plays rounds by the million on the engine and gives what every bet returns',
    run: async (argv) => (await import('./simulate.ts')).simulate(argv),
  },
  figures: {
    usage:
      '[--rulebook ID [--options JSON] [--strategy NAME|FILE] [--save FILE] [--estimate SECONDS]] | [--game baccarat|casino-war|bjside|blackjack|streak] [--decks N[,N…]] [--strategy FILE] [--win P --push P --lose P] [--json]',
    summary: 'exact probabilities and edges by enumeration, and the best strategy of a table',
    run: async (argv) => (await import('./figures.ts')).figures(argv),
  },
};

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  return [
    'usage: banca COMMAND …    (banca COMMAND --help says more)',
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    'Exit: 0 holds, 1 does not hold, 2 cannot run.',
  ].join('\n');
}

/** A failure that has a sentence for a person, as against a bug, whose stack somebody must see. */
function isExpected(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return (
    error.constructor === Error ||
    error instanceof CannotRun ||
    error instanceof LedgerUnusable ||
    doesNotHold(error) ||
    (typeof code === 'string' && /^(E[A-Z]+|SQLITE_[A-Z_]+|ERR_PARSE_ARGS_[A-Z_]+)$/.test(code))
  );
}

const doesNotHold = (error: Error): boolean => error instanceof LedgerDamaged || error instanceof DoesNotHold;

/** Runs one command line and gives its exit code. */
export async function main([name, ...argv]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === 'help') {
    console.log(overview());
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    console.error(`banca: there is no command '${name}'; banca --help lists them`);
    return 2;
  }
  if (argv.includes('--help')) {
    console.log(`usage: banca ${name} ${command.usage}\n${command.summary}`);
    return 0;
  }
  try {
    return await command.run(argv);
  } catch (error) {
    if (!(error instanceof Error) || !isExpected(error)) throw error;
    console.error(`banca ${name}: ${error.message.split('\n')[0]}`);
    return doesNotHold(error) ? 1 : 2;
  }
}

if (import.meta.main) {
  // Names and texts out of a ledger or a file name: a technician's terminal shows them and obeys
  // none.
  for (const out of ['log', 'error'] as const) {
    const print = console[out];
    console[out] = (...said: unknown[]) =>
      print(...said.map((one) => (typeof one === 'string' ? plainLines(one) : one)));
  }
  // A reader that has seen enough (`banca replay DB | head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  main(process.argv.slice(2)).then(
    // A host that could not start may have left something behind that would keep the process alive.
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error);
      process.exit(2);
    },
  );
}
