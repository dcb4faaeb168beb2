/**
 * A sitting of the engine alone once more, in a running host: the same inputs through its one road,
 * over a ledger on the disk, read by the reader's own process, in which no bug is planted.
 */
import type { TimelessInput } from '../../host/table/terminal.ts';
import { newRack, TestTerminal } from '../host/test-terminal.ts';
import type { Sitting } from './read-play.ts';

/** What else than the wanted has become of the money; null = it is held, and nothing has moved. */
export async function heldInHost({ profile, inputs }: Sitting): Promise<string | null> {
  const ends: (() => unknown)[] = [];
  const kit = await TestTerminal.open(
    { after: (end: () => unknown) => void ends.push(end) },
    { profile, rack: newRack(profile.seatCount), reader: { whenAbsent: 'hold' } },
  );
  let found: string | null;
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
      found ??= (error as Error).message;
    }
  return found;
}

const PAID: ReadonlySet<string> = new Set(['paid-at-once', 'round-settled']);

/** In one turn of the loop, so that no device and no deadline of the host comes between. */
function replayed(kit: TestTerminal, inputs: Sitting['inputs']): string | null {
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
    const { hold } = terminal.state;
    if (terminal.locked !== null) return `input ${at}: locked, ${terminal.locked.why}`;
    if (hold?.code !== 'unread') continue;
    if (at < inputs.length - 1) return `held at input ${at} of ${inputs.length}`;
    if (money() !== before) return 'money has moved';
    const kinds = ledger.read(seq + 1, ledger.head().seq - seq).map(({ kind }) => kind);
    const isHeld = kinds[0] === 'reading-differed' && !kinds.some((kind) => PAID.has(kind));
    return isHeld ? null : `the ledger has ${kinds.join(', ')}`;
  }
  return 'nothing was held';
}
