import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EFFECTS, SPOKEN, VOICES } from '../renderer/sound/keys.ts';

const folder = join(import.meta.dirname, 'sound');

/** What each clip says: words of a voice, or the synthesis of an effect. */
const CLIPS: ReadonlyMap<string, string> = new Map([
  ...VOICES.flatMap((voice) =>
    Object.entries(SPOKEN).map(([key, words]) => [`${voice}/${key}`, words[voice]] as const),
  ),
  ...Object.entries(EFFECTS).map(([key, synth]) => [`effect/${key}`, synth] as const),
]);

const read = (key: string): Buffer => readFileSync(join(folder, `${key}.opus`));

/** The comments of an Ogg Opus file (RFC 7845, 5.2). */
function commentsOf(bytes: Buffer): ReadonlyMap<string, string> {
  let at = bytes.indexOf('OpusTags') + 8;
  const next = (): string => {
    const text = bytes.toString('utf8', at + 4, at + 4 + bytes.readUInt32LE(at));
    at += 4 + bytes.readUInt32LE(at);
    return text;
  };
  next();
  const count = bytes.readUInt32LE(at);
  at += 4;
  return new Map(
    Array.from({ length: count }, () => next().split(/=(.*)/s) as [string, string, string]).map(
      ([name, value]) => [name, value],
    ),
  );
}

test('every sound has its clip in each voice, every clip is Opus, and no file is of no sound', () => {
  const files = globSync('**/*.opus', { cwd: folder }).map((file) => file.replace('.opus', ''));
  assert.deepEqual(files.sort(), [...CLIPS.keys()].sort());
  for (const key of CLIPS.keys()) {
    const bytes = read(key);
    assert.equal(bytes.toString('latin1', 0, 4), 'OggS', key);
    assert.ok(bytes.includes('OpusHead'), key);
  }
});

test('what is synthesised is made of the words that its caption shows; voices differ in their sound', () => {
  let placeholders = 0;
  for (const [key, words] of CLIPS) {
    const comments = commentsOf(read(key));
    // A recording that has taken its place says nothing of itself.
    if (comments.get('description') !== 'synthesised placeholder') continue;
    placeholders += 1;
    assert.equal(comments.get('title'), words, key);
  }
  assert.ok(placeholders > 0);
  /** Behind the comments, which name the words. */
  const sound = (key: string): string => {
    const bytes = read(key);
    return bytes.toString('latin1', bytes.indexOf('OggS', bytes.indexOf('OpusTags')));
  };
  for (const key of Object.keys(SPOKEN))
    assert.equal(new Set(VOICES.map((voice) => sound(`${voice}/${key}`))).size, VOICES.length, key);
});
