/**
 * `banca device replay`: a recording through the driver's machine; the events it makes, as JSON
 * lines, or with `--against` what is different in them, in words.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { differences, type ToldAt } from '../../hardware/transport/differences.ts';
import { fromPlain, type Recording, readRecording } from '../../hardware/transport/recording.ts';
import { replay as replayEntries } from '../../hardware/transport/replay.ts';
import { CannotRun, readArguments } from '../command.ts';
import { driverOptions, knownModel } from './options.ts';

/** 0: played to its end, the driver doing and telling what it did then. 1: something else now. */
export function replay(argv: string[]): number {
  const { values, positionals } = readArguments(
    argv,
    {
      driver: { type: 'string' },
      options: { type: 'string' },
      against: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    ['RECORDING'],
  );
  const path = positionals[0] ?? '';
  let recording: Recording;
  try {
    recording = readRecording(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CannotRun(`${path}: ${(error as Error).message}`);
  }
  const { head, entries } = recording;
  const name = values.driver ?? head.model;
  const model = knownModel('--driver', name);
  if (name !== head.model) throw new CannotRun(`--driver ${name}: ${path} is a recording of ${head.model}`);
  const options = driverOptions(model, values.options, head.options);
  const missing = head.withheld.find((option) => !(option in options));
  if (missing !== undefined)
    throw new CannotRun(`${path} was made with a ${missing} that is not in it: give it in --options`);
  for (const [index, entry] of entries.entries()) {
    if (!('input' in entry) || entry.input.type !== 'command') continue;
    const issue = model.commands.safeParse(entry.input.command).error?.issues[0];
    if (issue !== undefined)
      throw new CannotRun(
        `${path}: entry ${index + 1}: ${['command', ...issue.path].join('.')}: ${issue.message}`,
      );
  }
  const secrets = model.options.parse(options) as Readonly<Record<string, unknown>>;
  const state = head.state === null ? null : fromPlain(head.state, secrets);
  const then = values.against === undefined ? null : toldIn(values.against);
  const machine = model.machine(options, state);
  const { events, departure } = replayEntries(machine, entries, head.ticks, model.words);
  const now = events.filter(({ event }) => model.tells(event));
  const different = then === null ? [] : differences(then, now);
  if (then !== null) for (const sentence of different) console.log(sentence);
  else for (const { ms, event } of now) console.log(JSON.stringify({ ms, ...(event as object) }));
  if (departure === null) return different.length === 0 ? 0 : 1;
  console.error(
    `banca device replay: ${path}: entry ${departure.entry}: the driver is not the one that was recorded: ${departure.why}`,
  );
  return 1;
}

/** The events of a replay or a live run, as they were printed. */
function toldIn(path: string): readonly ToldAt[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CannotRun(`--against ${path}: ${(error as Error).message}`);
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      const { ms, ...event } = EVENT.parse(JSON.parse(line));
      return [{ ms, event }];
    } catch {
      throw new CannotRun(`--against ${path}: line ${index + 1} is no event of a replay`);
    }
  });
}

const EVENT = z.looseObject({ ms: z.number(), type: z.string() });
