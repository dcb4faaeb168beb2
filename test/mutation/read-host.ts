/**
 * A sitting of the engine alone once more, in a running host: the same inputs through its one road,
 * over a ledger on the disk, read by the reader's own process, in which no bug is planted.
 */
import type { TimelessInput } from '../../host/table/terminal.ts';
import { newRack, TestTerminal } from '../host/test-terminal.ts';
import type { Sitting } from './read-play.ts';

/**
 * Who has stopped the money before any of it moved: the second reader, at the same input; or,
 * before that, the comparison of the books, which locks the terminal. Else what has become of it.
 */
export async function stoppedInHost({ profile, inputs }: Sitting): Promise<string> {
  const ends: (() => unknown)[] = [];
  const kit = await TestTerminal.open(
    { after: (end: () => unknown) => void ends.push(end) },
    { profile, rack: newRack(profile.seatCount), reader: { whenAbsent: 'hold' } },
  );
  let found: string;
  try {
    await kit.until('the reader is up', () => kit.host.reader!.isThere);
    found = replayed(kit, inputs);
  } catch (error) {
    found = (error as Error).message;
  }
  for (const end of ends)
    try {
      // The ledger verifies, and without its key it leads to the state that was signed.
      await end();
    } catch (error) {
      found += `, and then: ${(error as Error).message}`;
    }
  return found;
}

const PAID: ReadonlySet<string> = new Set(['paid-at-once', 'round-settled']);

/** In one turn of the loop, so that no device and no deadline of the host comes between. */
function replayed(kit: TestTerminal, inputs: Sitting['inputs']): string {
  const { terminal } = kit.host;
  const { ledger } = terminal;
  const fromMs = kit.now() - inputs[0]!.atMs;
  const submit = ({ atMs, ...input }: Sitting['inputs'][number]): void => {
    kit.stoppedAtMs = fromMs + atMs;
    const touched = 'touchedAtMs' in input ? { touchedAtMs: fromMs + Number(input.touchedAtMs) } : {};
    terminal.submit({ ...input, ...touched } as TimelessInput);
  };
  const money = (): string => JSON.stringify([...ledger.balances()].sort());
  for (const [at, input] of inputs.entries()) {
    const before = money();
    const { seq } = ledger.head();
    submit(input);
    const isRead = terminal.state.hold?.code === 'unread';
    if (!isRead && terminal.locked === null) continue;
    const kinds = ledger.read(seq + 1, ledger.head().seq - seq).map(({ kind }) => kind);
    if (money() !== before || kinds.some((kind) => PAID.has(kind)))
      return `it has moved: ${kinds.join(', ')}`;
    if (terminal.locked !== null) return 'books';
    if (at < inputs.length - 1) return `held at input ${at} of ${inputs.length}`;
    return kinds[0] === 'reading-differed' ? 'reader' : `the ledger has ${kinds.join(', ')}`;
  }
  return 'nothing was held';
}
