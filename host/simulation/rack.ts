import { type RackOptions, type RackTransports, rackTransports } from '../../hardware/rack/rack.sim.ts';
import { RackClient, socketTransports } from '../../hardware/rack/rack-client.ts';
import type { RackAnswer, RackCommand, RackSight } from '../../hardware/rack/rack-commands.ts';
import { openRack } from '../../hardware/rack/rack-memory.store.ts';

/** The rack of simulated devices: the lines to them, and the hands on them. */
export interface Rack {
  readonly transports: RackTransports;
  /** Of the shoe, in hex; absent: it need not prove itself. */
  readonly pairingKey?: string;
  /** Throws, in words for a person, when the device could not do it. */
  do(command: RackCommand): Promise<void>;
  /** What a person at the rack would see. */
  sight(): Promise<RackSight>;
}

/** What the device could not do is said in words for a person. */
function check(answer: RackAnswer): void {
  if (!answer.ok) throw new Error(answer.error);
  if ('drawn' in answer && !answer.drawn) throw new Error(answer.why ?? 'no card came');
  if ('taken' in answer && !answer.taken) throw new Error(answer.why ?? 'the note was not taken');
}

/**
 * Devices in this process; they end with it, as when the whole machine loses its power, and keep in
 * the file `memory` what real ones keep without power. Null: they are new at every start. Throws
 * where the file cannot be used.
 */
export function rackInProcess(options: RackOptions, memory: string | null = null): Rack {
  const rack = openRack(memory, options);
  const { pairingKey, clock } = options;
  return {
    transports: rackTransports(rack, clock),
    ...(pairingKey && { pairingKey: Buffer.from(pairingKey).toString('hex') }),
    do: async (command) => check(await rack.do(command)),
    sight: async () => rack.sight(),
  };
}

/**
 * Devices in a process of their own that outlive this one, as real ones do. A lost rack is looked
 * for at every command.
 */
export function rackOverSockets(dir: string): Rack {
  let client: Promise<RackClient> | null = null;
  const ask = async <C extends RackCommand>(command: C): Promise<RackAnswer<C>> => {
    client ??= RackClient.connect(dir);
    try {
      return await (await client).do(command);
    } catch (error) {
      if (
        !(await client.then(
          (connected) => connected.isConnected,
          () => false,
        ))
      )
        client = null;
      throw error;
    }
  };
  return {
    transports: socketTransports(dir),
    do: async (command) => check(await ask(command)),
    sight: async () => {
      const answer = await ask({ do: 'state' });
      if (!answer.ok) throw new Error(answer.error);
      return answer;
    },
  };
}
