import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EXAMPLE_KEY, exchangesText, recordExchanges } from '../../../test/kits/ksp1-exchanges.ts';
import { EMPTY_PARSER, fromHex, toHex } from '../../transport/bytes.ts';
import { decode, encode, FRAME_LENGTH, parse, proofOf, sameProof, TYPE, unpackFrame } from './ksp1.codec.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/protocols/ksp-1.md', import.meta.url), 'utf8');

/** Bytes up to the last that is not zero, and the checksum -> the frame. */
function whole(start: string, checksum: string): Uint8Array {
  const bytes = new Uint8Array(FRAME_LENGTH);
  bytes.set(fromHex(start));
  bytes.set(fromHex(checksum), FRAME_LENGTH - 2);
  return bytes;
}

/** Reads a frame and writes it again to the byte. */
function reread(bytes: Uint8Array, where: string) {
  const unpacked = unpackFrame(bytes);
  assert.ok(unpacked.ok, where);
  const { seq, deviceMs, flags } = unpacked.value;
  const message = decode(unpacked.value);
  assert.ok(message.ok, where);
  assert.equal(toHex(encode(message.value, seq, deviceMs, flags)), toHex(bytes), where);
  return { message: message.value, frame: unpacked.value };
}

test('10 every known frame is read, and written again to the byte', () => {
  const rows = [...DOCUMENT.matchAll(/^\| .+ \| `(53 [0-9a-f ]+)` \| `([0-9a-f]{2} [0-9a-f]{2})` \|$/gm)];
  assert.ok(rows.length >= 12, `${rows.length} frames found`);
  const types = new Set<number>();
  for (const [line, start, checksum] of rows) {
    const { message, frame } = reread(whole(start!, checksum!), line);
    types.add(frame.type);
    if (message.type === 'proof') {
      const nonce = Uint8Array.from({ length: 16 }, (_, i) => i);
      assert.ok(sameProof(message.mac, proofOf(EXAMPLE_KEY, nonce, 'SHOE01', 3, frame.seq)));
    }
  }
  assert.ok(types.size >= 12);
});

test('11 the whole exchanges are what driver and simulator say to each other, byte for byte', async () => {
  const recorded = await recordExchanges();
  assert.equal(DOCUMENT.slice(DOCUMENT.indexOf(`**${recorded[0]!.title}.**`)), exchangesText(recorded));
});

test('11 every frame of the exchanges is read by the codec, and each PROOF answers its CHALLENGE', () => {
  const lines = [...DOCUMENT.matchAll(/^(host|shoe) {2}(53 [0-9a-f ]+) \| ([0-9a-f ]{5}) {2}(\S+)/gm)];
  assert.ok(lines.length > 60, `${lines.length} frames found`);
  const types = new Set<number>();
  let nonce: Uint8Array | null = null;
  let boot = 0;
  let proofs = 0;
  for (const [line, who, start, checksum] of lines) {
    const bytes = whole(start!, checksum!);
    const { message, frame } = reread(bytes, line);
    assert.equal(who === 'host', frame.type >= 0x80, line);
    // In a byte stream the parser finds it as well.
    assert.equal(parse(EMPTY_PARSER, bytes).frames.length, 1);
    types.add(frame.type);
    if (message.type === 'hello') boot = message.boot;
    if (message.type === 'challenge') nonce = message.nonce;
    if (message.type !== 'proof') continue;
    assert.ok(sameProof(message.mac, proofOf(EXAMPLE_KEY, nonce!, 'SHOE01', boot, frame.seq)), line);
    proofs++;
  }
  assert.equal(proofs, 4);
  const missing = Object.entries(TYPE).filter(([, type]) => !types.has(type));
  assert.deepEqual(missing, []);
});

test('9 the times are those of the code', () => {
  const sources = ['ksp1.machine.ts', 'ksp1.sim.ts', 'ksp1.driver.ts', '../../transport/protocol.ts'].map(
    (name) => readFileSync(new URL(name, import.meta.url), 'utf8'),
  );
  const coded = (name: string): number => {
    const match = sources
      .map((text) => new RegExp(`\\b${name}\\b(?: =|:) ([\\d_]+)`).exec(text))
      .find(Boolean);
    assert.ok(match, name);
    return Number(match[1]!.replaceAll('_', ''));
  };
  const written = (row: string): string | undefined =>
    DOCUMENT.split('\n')
      .find((line) => line.startsWith(`| ${row} |`))
      ?.split('|')[2]
      ?.replaceAll(/(?<=\d) (?=\d)/g, '')
      .trim();
  assert.equal(written('HEARTBEAT, at the latest after'), String(coded('HEARTBEAT_MS')));
  assert.equal(written('an event again without its ACK'), String(coded('REPEAT_MS')));
  assert.equal(
    written('IDENTIFY, CHALLENGE, RESUME, LOCK again without their effect'),
    String(coded('ASK_AGAIN_MS')),
  );
  assert.equal(written('nothing heard: the link is lost'), String(coded('LINK_LOST_MS')));
  assert.equal(written('no right PROOF: `not-authentic`'), String(coded('PROOF_WITHIN_MS')));
  assert.equal(written('REREAD again without its answer'), String(coded('ASK_AGAIN_MS')));
  assert.equal(written('no READ_AGAIN: nothing was read'), String(coded('READ_AGAIN_WITHIN_MS')));
  assert.equal(
    written('the line does not open: given up and tried again'),
    `${coded('OPEN_WITHIN_MS')}, doubling to ${coded('OPEN_AT_MOST_MS')}`,
  );
  assert.equal(written('between two random proofs'), `${coded('least')} to ${coded('below')}`);
});
