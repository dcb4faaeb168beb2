/**
 * Encrypted packets of SSP: a plain packet whose data is 7E and blocks of AES-128 in ECB. In them:
 * length of the data, count of packets (4 bytes), the data, random packing, CRC. The key is a
 * Diffie-Hellman key of 64 bits above a fixed one.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { crcOf } from './ssp.codec.ts';

export const STEX = 0x7e;
const BLOCK = 16;
const OVERHEAD = 7;
export const FIXED_KEY = '0123456701234567';

export interface Opened {
  readonly count: number;
  readonly data: Uint8Array;
}

export const eightBytes = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
export const numberOf = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

export function powerMod(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base % modulus];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result % modulus;
}

/** Both halves low byte first, the fixed one below. */
export function keyOf(fixedKey: string, negotiated: bigint): Uint8Array {
  const key = new Uint8Array(BLOCK);
  key.set(eightBytes(BigInt(`0x${fixedKey}`)));
  key.set(eightBytes(negotiated), 8);
  return key;
}

/** Data of an encrypted packet, 7E before it; `packing` has as many bytes as `packingOf` says. */
export function seal(key: Uint8Array, count: number, data: Uint8Array, packing: Uint8Array): Uint8Array {
  const inner = new Uint8Array(data.length + packing.length + OVERHEAD);
  inner[0] = data.length;
  new DataView(inner.buffer).setUint32(1, count, true);
  inner.set(data, 5);
  inner.set(packing, 5 + data.length);
  new DataView(inner.buffer).setUint16(inner.length - 2, crcOf(inner.subarray(0, -2)), true);
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  return Uint8Array.of(STEX, ...cipher.update(inner), ...cipher.final());
}

export const packingOf = (length: number): number => (BLOCK - ((length + OVERHEAD) % BLOCK)) % BLOCK;

/** Null where it is not of this key, or not whole. */
export function unseal(key: Uint8Array, sealed: Uint8Array): Opened | null {
  const blocks = sealed.subarray(1);
  if (sealed[0] !== STEX || blocks.length === 0 || blocks.length % BLOCK !== 0) return null;
  const cipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const inner = Uint8Array.of(...cipher.update(blocks), ...cipher.final());
  const view = new DataView(inner.buffer);
  if (view.getUint16(inner.length - 2, true) !== crcOf(inner.subarray(0, -2))) return null;
  const length = inner[0]!;
  if (length === 0 || length + OVERHEAD > inner.length) return null;
  return { count: view.getUint32(1, true), data: inner.slice(5, 5 + length) };
}
