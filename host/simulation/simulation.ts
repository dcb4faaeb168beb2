import type { Person } from '../../engine/table/inputs.ts';
import { acceptorCount, type TableProfile } from '../../engine/table/profile.ts';
import type { ModelOptions } from '../../hardware/model.ts';
import type { ModelName } from '../../hardware/models.ts';
import type { OpenTransport } from '../../hardware/ports.ts';
import type { RackCommand } from '../../hardware/rack/rack-commands.ts';
import type { TerminalFile } from '../config/terminal-file.ts';
import type { Fitting, Fittings } from '../devices/drivers.ts';
import type { Simulation } from '../server/commands.ts';
import type { Terminal } from '../table/terminal.ts';
import { Demo } from './demo.ts';
import type { Rack } from './rack.ts';

/**
 * What only a terminal with simulated devices has: hands on their rack, people who play, commands
 * of its operator.
 */

interface Hands {
  readonly file: TerminalFile;
  readonly rack: Rack;
  readonly terminal: Terminal;
  readonly pace: number;
  readonly log: (line: string) => void;
}

function personOf(file: TerminalFile, role: Person['role']): Person | null {
  const record = file.people.find((person) => person.role === role);
  return record ? { id: record.id, name: record.name, role } : null;
}

function dealerOf(file: TerminalFile): Person {
  const dealer = personOf(file, 'dealer') ?? personOf(file, file.people[0]?.role ?? 'dealer');
  if (!dealer) throw new Error('the terminal file names no people');
  return dealer;
}

/** The lines to all simulated devices, as those of a terminal file. */
export function simulatedFittings(
  { transports, pairingKey }: Rack,
  profile: Pick<TableProfile, 'acceptors' | 'seatCount'>,
): Fittings {
  const simulated = (model: ModelName, open: OpenTransport, options: ModelOptions = {}): Fitting => ({
    model,
    options,
    open,
    at: null,
  });
  return {
    acceptors: new Map(
      Array.from({ length: acceptorCount(profile) }, (_, index) => [
        index + 1,
        simulated('id003', transports.acceptor(index + 1)),
      ]),
    ),
    shoe: simulated('ksp1', transports.shoe, pairingKey === undefined ? {} : { pairingKey }),
    printer: simulated('escpos', transports.printer),
    cabinet: simulated('kcb1', transports.cabinet),
    ups: simulated('nut', transports.ups, { ups: 'ups' }),
    simulatorsAllowed: true,
  };
}

/** Players and a dealer whose hands are on the rack of simulated devices. */
export function demoOf({ file, rack, terminal, pace, log }: Hands): Demo {
  const { acceptors, currency } = file.profile;
  return new Demo({
    terminal,
    dealer: dealerOf(file),
    supervisor: personOf(file, 'supervisor'),
    pace,
    log,
    hands: {
      loadShoe: () => loadShoe(rack, terminal),
      mendShoe: async () => {
        for (const fault of ['cover-close', 'clear-jam'] as const)
          await rack.do({ do: 'fault', device: 'shoe', fault });
      },
      drawCard: () => rack.do({ do: 'draw-card' }),
      placeEndCard: (cardsBehind) => rack.do({ do: 'place-cut-card', fromEnd: cardsBehind }),
      insertNote: (seat, valueMinor) =>
        rack.do({
          do: 'insert-note',
          acceptor: acceptors === 'shared' ? 1 : seat,
          valueMinor,
          currency,
        }),
    },
  });
}

/** Faults of a shoe that can tell nothing any more, however it is loaded: it is taken away. */
const UNUSABLE: ReadonlySet<string> = new Set(['shoe-gap', 'shoe-not-authentic']);

async function loadShoe(rack: Rack, terminal: Terminal): Promise<void> {
  const { faults, rules } = terminal.state;
  if (faults.some(({ fault }) => UNUSABLE.has(fault))) await rack.do({ do: 'swap-shoe' });
  await rack.do({ do: 'load-shoe', decks: rules?.decks ?? 6 });
}

export function simulationOf(
  { file, rack, terminal, log }: Hands,
  demo: Demo,
  changed: () => void,
): Simulation {
  const run = async (command: Parameters<Simulation['run']>[0]): Promise<unknown> => {
    switch (command.type) {
      case 'sim-insert-note': {
        const { acceptor, valueMinor } = command;
        return rack.do({ do: 'insert-note', acceptor, valueMinor, currency: file.profile.currency });
      }
      case 'sim-load-shoe':
        return loadShoe(rack, terminal);
      case 'sim-draw-card':
        return rack.do({ do: 'draw-card' });
      case 'sim-auto':
        demo.set({ dealer: command.dealer, players: command.players });
        return changed();
      case 'sim-fault':
        // The rack knows the names of devices and faults, and says which one it does not know.
        return rack.do({ do: 'fault', device: command.device, fault: command.fault } as RackCommand);
    }
  };
  return {
    // The dealer has put it in and said so: a simulated shoe that could not follow is no reason to
    // end the host.
    placeEndCard: (cardsBehind) =>
      rack
        .do({ do: 'place-cut-card', fromEnd: cardsBehind })
        .catch((error: Error) => log(`white card: ${error.message}`)),
    run: (command) =>
      run(command).then(
        () => ({ ok: true }),
        (error: Error) => ({ ok: false, detail: error.message }),
      ),
  };
}
