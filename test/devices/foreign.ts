/**
 * The other end of ID-003 as somebody else would write it: its own framing and checksum, nothing of
 * ours. A host of the fewest commands that take a note, and a unit of the fewest answers that give
 * one.
 */
import type { Duplex } from 'node:stream';

/** CRC-16/KERMIT, bit by bit. */
function crc(bytes: readonly number[]): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >> 1) ^ 0x8408 : sum >> 1;
  }
  return sum;
}

export function frame(code: number, data: readonly number[] = []): Buffer {
  const body = [0xfc, data.length + 5, code, ...data];
  const sum = crc(body);
  return Buffer.from([...body, sum & 0xff, sum >> 8]);
}

/** Calls back with every whole frame; throws on a byte that does not belong to one. */
function onFrames(stream: Pick<Duplex, 'on'>, take: (code: number, data: readonly number[]) => void): void {
  let kept: number[] = [];
  stream.on('data', (chunk: Buffer) => {
    kept = [...kept, ...chunk];
    while (kept.length >= 2 && kept.length >= kept[1]!) {
      const [sync, length] = kept;
      const whole = kept.slice(0, length);
      kept = kept.slice(length);
      const sum = crc(whole.slice(0, -2));
      if (sync !== 0xfc || whole.at(-2) !== (sum & 0xff) || whole.at(-1) !== sum >> 8)
        throw new Error(`no ID-003 frame: ${Buffer.from(whole).toString('hex')}`);
      take(whole[2]!, whole.slice(3, -2));
    }
  });
}

type Line = Pick<Duplex, 'on'> & { write(bytes: Buffer): unknown };

export interface ForeignHost {
  /** Every status code it has seen, each change once, in hex. */
  readonly seen: readonly string[];
  /** Values of the notes it holds to have been paid, from the unit's own currency table. */
  readonly credited: readonly number[];
  stop(): void;
}

/**
 * Resets the unit, opens it, stacks what is in escrow (STACK-1, as many hosts do) and acknowledges
 * the credit.
 */
export function foreignHost(line: Line): ForeignHost {
  const seen: string[] = [];
  const credited: number[] = [];
  const values = new Map<number, number>();
  let escrowed = 0;
  let due: Buffer[] = [frame(0x8a), frame(0x88)];
  let paid = false;
  onFrames(line, (code, data) => {
    if (code === 0x8a)
      for (let at = 0; at < data.length; at += 4) values.set(data[at]!, data[at + 2]! * 10 ** data[at + 3]!);
    if ([0x50, 0x88, 0x8a, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5].includes(code)) return;
    const status = code.toString(16);
    if (seen.at(-1) !== status) seen.push(status);
    if (code >= 0x40 && code <= 0x42) due = [frame(0x40)];
    else if (code === 0x1b) due = [frame(0xc0, [0, 0]), frame(0xc3, [0])];
    else if (code === 0x13) {
      escrowed = data[0] ?? 0;
      due = [frame(0x41)];
    } else if (code === 0x15) {
      if (!paid) credited.push(values.get(escrowed) ?? 0);
      paid = true;
      line.write(frame(0x50));
    } else paid = false;
  });
  const poll = setInterval(() => {
    line.write(due.shift() ?? frame(0x11));
  }, 100);
  return { seen, credited, stop: () => clearInterval(poll) };
}

/** A unit that has one note of 100 (code 63, country 4D) put in as soon as it is opened. */
export function foreignUnit(line: Line): { readonly heard: readonly string[] } {
  const heard: string[] = [];
  let status = 0x40;
  let inserted = false;
  const go = (next: number, afterMs: number): void => void setTimeout(() => (status = next), afterMs);
  onFrames(line, (code, data) => {
    const name = code.toString(16);
    if (code !== 0x11 && heard.at(-1) !== name) heard.push(name);
    const answer = (): Buffer => {
      if (code === 0x11) return frame(status, status === 0x13 ? [0x63] : []);
      if (code === 0x88) return frame(0x88, [...Buffer.from('FOREIGN 7.1')]);
      if (code === 0x89) return frame(0x89, [...Buffer.from('B1')]);
      if (code === 0x8a) return frame(0x8a, [0x61, 0x4d, 1, 1, 0x63, 0x4d, 1, 2]);
      if (code === 0x40) {
        status = 0x1b;
        go(0x1a, 100);
        return frame(0x50);
      }
      if (code === 0x41 || code === 0x42) {
        if (status !== 0x13) return frame(0x4b);
        status = 0x14;
        go(0x15, 100);
        return frame(0x50);
      }
      if (code === 0x43) {
        if (status !== 0x13) return frame(0x4b);
        status = 0x18;
        go(0x11, 100);
        return frame(0x50);
      }
      if (code === 0xc3) {
        if (data[0] === 0 && !inserted && status !== 0x1b) {
          inserted = true;
          status = 0x11;
          setTimeout(() => {
            status = 0x12;
            go(0x13, 150);
          }, 150);
        }
        return frame(code, data);
      }
      if (code >= 0xc0 && code <= 0xc5) return frame(code, data);
      return frame(0x4b);
    };
    if (code === 0x50) {
      if (status === 0x15) {
        status = 0x16;
        go(0x11, 500);
      }
      return;
    }
    line.write(answer());
  });
  return { heard };
}
