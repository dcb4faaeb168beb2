/** `banca card [--socket PATH]`: which staff card lies on the reader. */

import { Pcscd } from '../hardware/card-reader/pcscd.transport.ts';
import { proveCard } from '../hardware/card-reader/piv.machine.ts';
import { CannotRun, readArguments } from './command.ts';

export async function card(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    socket: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const pcscd = await Pcscd.open(values.socket).catch((error: Error) => {
    throw new CannotRun(`pcscd does not answer (${error.message}): is Debian's package pcscd installed?`);
  });
  try {
    const reader = (await pcscd.readers()).find(({ hasCard }) => hasCard);
    if (reader === undefined) throw new CannotRun('no card lies on a reader');
    const open = await pcscd.card(reader.name);
    console.log(
      JSON.stringify({ card: await proveCard((apdu) => open.transmit(apdu)), reader: reader.name }),
    );
    await open.close();
    return 0;
  } catch (error) {
    throw error instanceof CannotRun ? error : new CannotRun(`the card: ${(error as Error).message}`);
  } finally {
    pcscd.close();
  }
}
