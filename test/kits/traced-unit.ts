/**
 * For tests: a unit that says what a public trace has of one (test/devices/traces). A question of
 * the trace has its answer as often as it is asked, and one that the trace does not know has none.
 * To polls it tells its story: each step some times, and no step before what it comes after.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as cctalk from '../../hardware/bill-acceptor/cctalk/cctalk.codec.ts';
import * as ebds from '../../hardware/bill-acceptor/ebds/ebds.codec.ts';
import * as id003 from '../../hardware/bill-acceptor/id003/id003.codec.ts';
import * as ssp from '../../hardware/bill-acceptor/ssp/ssp.codec.ts';
import type { ModelOptions } from '../../hardware/model.ts';
import type { DeviceClock, OpenTransport } from '../../hardware/ports.ts';
import { EMPTY_PARSER, fromHex, type Parsed, toHex } from '../../hardware/transport/bytes.ts';
import { memoryPair } from '../../hardware/transport/memory.transport.ts';

type Answers = Readonly<Record<string, string>>;

interface Step {
  readonly says: string;
  /** To so many polls at least. */
  readonly times?: number;
  /** What the host has to have sent, or `note`: somebody has fed one. */
  readonly after?: string;
  readonly answers?: Answers;
}

export interface Trace {
  readonly unit: string;
  readonly source: string;
  readonly licence: string;
  /** What the source does not have, and a driver needs. */
  readonly added: string;
  readonly model: 'id003' | 'pyramid' | 'ssp' | 'cctalk';
  readonly options: ModelOptions;
  readonly note: readonly [valueMinor: number, currency: string];
  readonly host: 'stacks' | 'returns';
  readonly lastsMs: number;
  /** With this the host has opened it. */
  readonly opensWith: string;
  /** By what the host's frame carries. */
  readonly answers: Answers;
  /** Settings that come back as they were sent. */
  readonly echoes: readonly string[];
  readonly story: readonly Step[];
}

interface Asked {
  readonly key: string;
  readonly isPoll: boolean;
  readonly isToggled: boolean;
  readonly frame: Uint8Array;
  /** An answer of the trace, in the toggle of this question. */
  fit(answer: Uint8Array): Uint8Array;
}

const WIRE: cctalk.Wire = { address: 40, checksum: 'crc16', code: null };

function only<Frame>({ frames, bad }: Parsed<Frame>, answer: Uint8Array): Frame {
  assert.deepEqual([frames.length, bad], [1, 0], `no frame of its protocol: ${toHex(answer)}`);
  return frames[0]!.frame;
}

const TONGUES: Readonly<Record<Trace['model'], (bytes: Uint8Array) => readonly Asked[]>> = {
  id003: (bytes) =>
    id003.parse(EMPTY_PARSER, bytes).frames.map(({ frame, bytes: whole }) => ({
      key: toHex(Uint8Array.of(frame.command, ...frame.data)),
      isPoll: frame.command === id003.COMMAND.statusRequest,
      isToggled: false,
      frame: whole,
      fit: (answer) => {
        only(id003.parse(EMPTY_PARSER, answer), answer);
        return answer;
      },
    })),
  pyramid: (bytes) =>
    ebds.parse(EMPTY_PARSER, bytes).frames.map(({ frame, bytes: whole }) => {
      const isPoll = frame.type === ebds.TYPE.command;
      return {
        key: isPoll ? pollKey(frame.data) : toHex(Uint8Array.of(frame.type, ...frame.data)),
        isPoll,
        isToggled: true,
        frame: whole,
        fit: (answer) => {
          const { type, data } = only(ebds.parse(EMPTY_PARSER, answer), answer);
          return ebds.encodeFrame(type, frame.toggle, data);
        },
      };
    }),
  ssp: (bytes) =>
    ssp.parse(EMPTY_PARSER, bytes).frames.map(({ frame, bytes: whole }) => ({
      key: toHex(frame.data),
      isPoll: frame.data[0] === ssp.COMMAND.poll,
      isToggled: true,
      frame: whole,
      fit: (answer) => {
        const { data } = only(ssp.parse(EMPTY_PARSER, answer), answer);
        return ssp.encode({ ...frame, data });
      },
    })),
  cctalk: (bytes) =>
    cctalk.parse(WIRE, EMPTY_PARSER, bytes).frames.map(({ frame, bytes: whole }) => ({
      key: toHex(Uint8Array.of(frame.header, ...frame.data)),
      isPoll: frame.header === cctalk.HEADER.readBillEvents,
      isToggled: false,
      frame: whole,
      fit: (answer) => {
        only(cctalk.parse(WIRE, EMPTY_PARSER, answer), answer);
        return answer;
      },
    })),
};

const pollKey = ([notes = 0, how = 0]: Uint8Array): string =>
  how & 0x20 ? 'stack' : how & 0x40 ? 'return' : notes === 0 ? 'shut' : 'open';

const FOLDER = join(import.meta.dirname, '../devices/traces');

export const traces = (): readonly (readonly [name: string, trace: Trace])[] =>
  readdirSync(FOLDER).map((file) => [
    file.replace(/\.json$/, ''),
    JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Trace,
  ]);

export function tracedUnit(
  trace: Trace,
  clock: DeviceClock,
): { readonly unit: { insert(): { readonly taken: boolean } }; readonly open: OpenTransport } {
  const ask = TONGUES[trace.model];
  const heard = new Set<string>();
  let isOpen = false;
  let isFed = false;
  let at = 0;
  let said = 0;
  const goesOn = (): boolean => {
    const next = trace.story[at + 1];
    if (next === undefined || said < (trace.story[at]!.times ?? 3)) return false;
    return next.after === undefined || (next.after === 'note' ? isFed : heard.has(next.after));
  };
  const answerTo = ({ key, isPoll, frame, fit }: Asked): Uint8Array | null => {
    heard.add(key);
    isOpen ||= key === trace.opensWith;
    if (isPoll) {
      if (goesOn()) {
        at++;
        said = 0;
        heard.clear();
      }
      said++;
      return fit(fromHex(trace.story[at]!.says));
    }
    const answer = trace.story[at]!.answers?.[key] ?? trace.answers[key] ?? trace.answers[key.slice(0, 2)];
    if (answer !== undefined) return fit(fromHex(answer));
    return trace.echoes.some((setting) => key.startsWith(setting)) ? frame : null;
  };
  return {
    unit: {
      insert: () => {
        isFed ||= isOpen;
        return { taken: isOpen };
      },
    },
    open: () => {
      const [host, line] = memoryPair({ clock, latencyMs: 3 });
      let last: { readonly asked: string; readonly answer: Uint8Array | null } | null = null;
      void line.open({
        onBytes: (bytes) => {
          for (const asked of ask(bytes)) {
            const frame = toHex(asked.frame);
            // In one toggle twice: the last answer again.
            if (!asked.isToggled || last?.asked !== frame) last = { asked: frame, answer: answerTo(asked) };
            if (last.answer !== null) void line.write(last.answer);
          }
        },
        onClose: () => {},
      });
      return host;
    },
  };
}
