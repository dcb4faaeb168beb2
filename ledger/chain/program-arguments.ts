/** The words behind a program's name, of which every program of the project understands --help. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The comment at the head of a program says what it does and how it is called. */
function headOf(path: string): string {
  const comment = /\/\*\*([\s\S]*?)\*\//.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  return comment.replaceAll(/^[ *]+|`/gm, '').trim();
}

const optionLines = (options: ParseArgsOptionsConfig): string[] =>
  Object.entries(options).map(([name, { type, default: value }]) => {
    const given = type === 'boolean' || value === undefined || value === '' ? '' : `   (${String(value)})`;
    return `  --${name}${type === 'string' ? ' …' : ''}${given}`;
  });

/**
 * As `parseArgs`; but `--help` prints what the running program is and ends with 0 before anything
 * is done, and words that it does not know are one sentence and end with 2.
 */
export function argumentsOf<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  const program = process.argv[1]!;
  const name = relative(process.cwd(), program);
  if (process.argv.slice(2).includes('--help')) {
    const { options = {} } = config;
    process.stdout.write(
      `${[`usage: node ${name} …`, headOf(program), ...optionLines(options)].join('\n')}\n`,
    );
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS_')) throw error;
    process.stderr.write(`${name}: ${(error as Error).message.split('\n')[0]}; --help says more\n`);
    return process.exit(2);
  }
}
