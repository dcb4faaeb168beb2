/** `banca verify DB [--json]`: the whole ledger file, read only. Exit 0 holds, 1 does not hold, 2 cannot run. */
import { parseArgs } from 'node:util';
import { describeProblem, type VerifyReport, verifyLedger } from '../ledger/chain/verifier.store.ts';

const USAGE = 'usage: banca verify DB [--json]';

/** Body of the command; `argv` is what follows `verify`. Resolves to the exit code. */
export async function verify(argv: string[]): Promise<number> {
  let report: VerifyReport;
  let json = false;
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    const path = positionals[0];
    if (path === undefined || positionals.length > 1) throw new Error(USAGE);
    json = values.json;
    report = verifyLedger(path);
  } catch (error) {
    console.error(`verify: ${(error as Error).message}`);
    return 2;
  }
  console.log(json ? JSON.stringify(report) : text(report));
  return report.ok ? 0 : 1;
}

function text(r: VerifyReport): string {
  const facts = [
    `terminal      ${r.terminal ?? 'unknown'}`,
    `entries       ${r.entries}, newest ${r.headSeq} with hash ${r.headHash}`,
    `checkpoints   ${r.checkpoints}, keys ${r.keyIds.join(', ') || 'none'}`,
    `snapshots     ${r.snapshots}`,
    `acknowledged  up to entry ${r.acknowledgedSeq}`,
    ...Object.entries(r.balances)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([account, sum]) => `balance       ${account} ${sum}`),
  ];
  if (r.ok) return [...facts, 'The ledger holds.'].join('\n');
  const more = r.problemCount - r.problems.length;
  return [
    ...facts,
    ...r.problems.map((problem) => `PROBLEM       ${describeProblem(problem)}`),
    ...(more > 0 ? [`PROBLEM       and ${more} more`] : []),
    r.firstBadSeq === null
      ? 'The ledger does not hold.'
      : `The ledger does not hold: the first bad entry is ${r.firstBadSeq}.`,
  ].join('\n');
}
