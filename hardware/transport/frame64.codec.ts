/**
 * The frames of our own open protocols, KSP-1 and KCB-1, which differ in their first byte. 64
 * bytes each: magic | version 1 | type | flags | seq u32le | device ms u32le | length |
 * payload .. zeros | CRC u16le.
 */
import crc16ccitt from 'crc/calculators/crc16ccitt';
import { EMPTY_PARSER, joinBytes, type Parsed, type ParserState } from './bytes.ts';

export const FRAME_LENGTH = 64;
export const PAYLOAD_LIMIT = 49;
const VERSION = 1;
const PAYLOAD_AT = 13;
const CRC_AT = 62;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly seq: number;
  readonly deviceMs: number;
  readonly payload: Uint8Array;
}

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function payload(length: number, fill: (view: DataView, bytes: Uint8Array) => void): Uint8Array {
  const bytes = new Uint8Array(length);
  fill(viewOf(bytes), bytes);
  return bytes;
}

/** `name`: of the protocol, for errors. */
export function frame64(magic: number, name: string) {
  /** 64 bytes; throws on a payload or number that does not fit. */
  function packFrame(frame: Frame): Uint8Array {
    if (frame.payload.length > PAYLOAD_LIMIT)
      throw new RangeError(`payload of ${frame.payload.length} bytes, ${name} carries ${PAYLOAD_LIMIT}`);
    const bytes = new Uint8Array(FRAME_LENGTH);
    bytes.set([magic, VERSION, frame.type, frame.flags]);
    const view = viewOf(bytes);
    view.setUint32(4, frame.seq, true);
    view.setUint32(8, frame.deviceMs, true);
    bytes[12] = frame.payload.length;
    bytes.set(frame.payload, PAYLOAD_AT);
    view.setUint16(CRC_AT, crc16ccitt(bytes.subarray(0, CRC_AT)), true);
    return bytes;
  }

  function unpackFrame(bytes: Uint8Array): Decoded<Frame> {
    if (bytes.length !== FRAME_LENGTH) return { ok: false, error: `${bytes.length} bytes instead of 64` };
    if (bytes[0] !== magic) return { ok: false, error: `magic ${bytes[0]} at byte 0` };
    if (bytes[1] !== VERSION) return { ok: false, error: `version ${bytes[1]} at byte 1` };
    const view = viewOf(bytes);
    if (crc16ccitt(bytes.subarray(0, CRC_AT)) !== view.getUint16(CRC_AT, true))
      return { ok: false, error: 'checksum at byte 62' };
    const length = bytes[12]!;
    if (length > PAYLOAD_LIMIT) return { ok: false, error: `length ${length} at byte 12` };
    return {
      ok: true,
      value: {
        type: bytes[2]!,
        flags: bytes[3]!,
        seq: view.getUint32(4, true),
        deviceMs: view.getUint32(8, true),
        payload: Uint8Array.from(bytes.subarray(PAYLOAD_AT, PAYLOAD_AT + length)),
      },
    };
  }

  /**
   * Takes bytes in any pieces (a HID report is one frame; a socket or a serial line cuts as it
   * likes). After garbage it looks for the next place where magic, version and checksum hold.
   */
  function parse(state: ParserState, chunk: Uint8Array): Parsed<Frame> {
    let bytes = state.kept.length === 0 ? chunk : joinBytes(state.kept, chunk);
    const frames: Parsed<Frame>['frames'][number][] = [];
    let bad = 0;
    let lost = false;
    while (bytes.length > 0) {
      const start = bytes.indexOf(magic);
      if (start !== 0 && !lost) {
        lost = true;
        bad++;
      }
      if (start < 0) return { state: EMPTY_PARSER, frames, bad };
      bytes = bytes.subarray(start);
      if (bytes.length < FRAME_LENGTH) break;
      const unpacked = unpackFrame(bytes.subarray(0, FRAME_LENGTH));
      if (unpacked.ok) {
        frames.push({ frame: unpacked.value, bytes: Uint8Array.from(bytes.subarray(0, FRAME_LENGTH)) });
        bytes = bytes.subarray(FRAME_LENGTH);
        lost = false;
      } else {
        if (!lost) bad++;
        lost = true;
        bytes = bytes.subarray(1);
      }
    }
    return { state: { kept: Uint8Array.from(bytes) }, frames, bad };
  }

  return { packFrame, unpackFrame, parse };
}
