/**
 * Stands for `node:test` where tests are called again and again in one process: they are kept, and
 * whoever has them calls them.
 */
type Call = (context: Context) => unknown;

export interface KeptTest {
  readonly file: string;
  readonly name: string;
  readonly call: () => Promise<void>;
}
interface Context {
  after(call: () => unknown): void;
  test(name: string, call: Call): Promise<void>;
  diagnostic(text: string): void;
}

const kept: KeptTest[] = [];
let file = '';
const path: string[] = [];

/** The tests of the file that is loaded next are of this name. */
export const loading = (next: string): void => {
  file = next;
};
export const keptTests = (): readonly KeptTest[] => kept;

async function run(call: Call): Promise<void> {
  const after: (() => unknown)[] = [];
  try {
    await call({
      after: (later) => after.push(later),
      test: (_, inner) => run(inner),
      diagnostic: () => {},
    });
  } finally {
    for (const later of after.toReversed()) await later();
  }
}

function keep(name: string, ...rest: readonly unknown[]): void {
  const call = rest.find((each): each is Call => typeof each === 'function');
  const isSkipped = rest.some(
    (each) => typeof each === 'object' && each !== null && 'skip' in each && each.skip,
  );
  if (!call || isSkipped) return;
  kept.push({ file, name: [...path, name].join(' > '), call: () => run(call) });
}

function group(name: string, ...rest: readonly unknown[]): void {
  path.push(name);
  (rest.find((each) => typeof each === 'function') as () => void)();
  path.pop();
}

export const test = Object.assign(keep, { skip: () => {}, test: keep, it: keep, describe: group });
export const it = test;
export const describe = group;
export const suite = group;
export default test;
