/**
 * The encryption of SSP between the machine and the line. The machine speaks plain packets and
 * never sees a key; so neither frames nor recordings hold one, and service mode shows what was
 * said.
 */
import { generatePrimeSync, randomBytes } from 'node:crypto';
import type { ByteTransport, DeviceClock } from '../../ports.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { eightBytes, keyOf, numberOf, packingOf, powerMod, STEX, seal, unseal } from './essp.codec.ts';
import { COMMAND, encode, type Frame, parse, REPLY, type Seq, STX } from './ssp.codec.ts';

/** Where primes and secrets come from. */
export interface KeySource {
  prime(): bigint;
  bytes(length: number): Uint8Array;
}
/**
 * The maker's own code and integrators' have primes and secrets below 2^31: a unit that reckons
 * with 64 bits comes to another key with longer ones.
 */
export const SYSTEM_KEYS: KeySource = {
  prime: () => generatePrimeSync(31, { bigint: true }),
  bytes: (length) => randomBytes(length),
};
const SECRETS = 0x8000_0000n;

export type Encryption = 'where-known' | 'required';

interface Secured {
  readonly clock: DeviceClock;
  readonly address: number;
  readonly fixedKey: string;
  readonly encryption: Encryption;
  readonly keys: KeySource;
}

/** Without an answer for so long the same packet of the key exchange goes out again. */
const AGAIN_MS = 600;
/** Times that it goes out to a unit from which not one byte comes, before SYNC is asked again. */
const TRIES = 3;
/** Times that the exchange is begun: with other primes, and after a silence. */
const ROUNDS = 2;

export function secured(line: ByteTransport, o: Secured): ByteTransport {
  const { clock, address } = o;
  let parser = EMPTY_PARSER;
  let key: Uint8Array | null = null;
  let count = 0;
  let isReady = false;
  let last: { readonly plain: string; readonly sent: Uint8Array; readonly sealed: boolean } | null = null;
  let waiting: { readonly seq: Seq; readonly heard: (data: Uint8Array) => void } | null = null;
  let cancelAgain = (): void => {};
  let fail: (error: Error) => void = () => {};

  let hears = false;
  let seq: Seq = 1;
  /** Says it again and again until it is answered; null = a unit that may be silent to it is. */
  const ask = (data: Uint8Array, mayBeSilent = false): Promise<Uint8Array | null> =>
    new Promise((resolve, reject) => {
      fail = reject;
      hears = false;
      if (data[0] === COMMAND.sync) seq = 1;
      const packet = encode({ seq, address, data });
      const answered = (answer: Uint8Array | null): void => {
        cancelAgain();
        waiting = null;
        seq = seq === 0 ? 1 : 0;
        resolve(answer);
      };
      const send = (left: number): void => {
        if (left === 0 && mayBeSilent && !hears) {
          answered(null);
          return;
        }
        line.write(packet).catch(reject);
        cancelAgain = clock.after(AGAIN_MS, () => send(Math.max(0, left - 1)));
      };
      waiting = { seq, heard: answered };
      send(TRIES);
    });

  const agree = async (): Promise<'agreed' | 'refused' | 'again'> => {
    const [one, other] = [o.keys.prime(), o.keys.prime()];
    if (one === other) return 'again';
    // As in the maker's code the larger one is the generator.
    const [generator, modulus] = one > other ? [one, other] : [other, one];
    const secret = 1n + (numberOf(o.keys.bytes(8)) % (SECRETS - 1n));
    let answer: Uint8Array | null = null;
    for (const [command, value] of [
      [COMMAND.setGenerator, generator],
      [COMMAND.setModulus, modulus],
      [COMMAND.keyExchange, powerMod(generator, secret, modulus)],
    ] as const) {
      answer = await ask(Uint8Array.of(command, ...eightBytes(value)), true);
      // A unit that has fallen silent to everything is no unit without encryption.
      if (answer === null) await ask(Uint8Array.of(COMMAND.sync));
      if (answer === null || answer[0] === REPLY.outOfRange) return 'again';
      if (answer[0] !== REPLY.ok) return 'refused';
    }
    if (answer?.length !== 9) throw new Error('the unit has answered the key exchange without a key');
    key = keyOf(o.fixedKey, powerMod(numberOf(answer.subarray(1)), secret, modulus));
    count = 0;
    return 'agreed';
  };

  const exchange = async (): Promise<void> => {
    await ask(Uint8Array.of(COMMAND.sync));
    // A note that may lie in escrow is not to be stacked by what comes now.
    await ask(Uint8Array.of(COMMAND.hold));
    let end = await agree();
    for (let round = 1; round < ROUNDS && end === 'again'; round++) end = await agree();
    if (end !== 'agreed' && o.encryption === 'required') throw new Error('the unit refuses the key exchange');
  };

  const shut = (): void => {
    cancelAgain();
    waiting = null;
    key = null;
    isReady = false;
  };

  /** The plain packet of what has come; null = it is none for the machine. */
  const plainOf = (frame: Frame, close: (reason: string) => void): Frame | null => {
    if (frame.data[0] === STEX) {
      const opened = key === null ? null : unseal(key, frame.data);
      return opened === null || opened.count !== count ? null : { ...frame, data: opened.data };
    }
    if (last?.sealed !== true) return frame;
    // Whoever answers an encrypted packet in the clear has no key, or not ours.
    if (frame.data[0] === REPLY.keyNotSet) close('the unit has lost its key');
    return null;
  };

  return {
    name: line.name,
    open: async (handlers) => {
      const close = (reason: string): void => {
        shut();
        void line.close();
        handlers.onClose(reason);
      };
      await line.open({
        onClose: (reason) => {
          shut();
          fail(new Error(reason));
          handlers.onClose(reason);
        },
        onBytes: (bytes) => {
          hears = true;
          const parsed = parse(parser, bytes);
          parser = parsed.state;
          for (const { frame } of parsed.frames) {
            if (!isReady) {
              if (frame.seq === waiting?.seq && frame.address === address) waiting.heard(frame.data);
              continue;
            }
            const plain = plainOf(frame, close);
            if (plain !== null) handlers.onBytes(encode(plain));
          }
          // The machine waits on while a packet is coming in.
          if (isReady && parsed.frames.length === 0 && parser.kept.length > 0)
            handlers.onBytes(Uint8Array.of(STX));
        },
      });
      try {
        await exchange();
      } catch (error) {
        // Nobody else has this line yet: left open, it could not be opened again.
        shut();
        await line.close();
        throw error;
      }
      isReady = true;
    },
    write: (bytes) => {
      parser = EMPTY_PARSER;
      const plain = bytes.join();
      if (last?.plain === plain) return line.write(last.sent);
      const frame = parse(EMPTY_PARSER, bytes).frames[0]?.frame;
      const isSealed = key !== null && frame !== undefined && frame.data[0] !== COMMAND.sync;
      let sent = bytes;
      if (isSealed && key !== null) {
        const packing = o.keys.bytes(packingOf(frame.data.length));
        sent = encode({ ...frame, data: seal(key, count, frame.data, packing) });
        count = (count + 1) >>> 0;
      }
      last = { plain, sent, sealed: isSealed };
      return line.write(sent);
    },
    close: () => {
      shut();
      fail(new Error('closed'));
      return line.close();
    },
  };
}
