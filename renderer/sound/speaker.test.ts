import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';
import { Loudspeaker } from './loudspeaker.ts';
import { createSpeaker } from './speaker.ts';

/** A host where every sentence is played at the seat's own output and lasts so long. */
function listening(seconds: number) {
  const asked: string[] = [];
  const speaker = createSpeaker(async (seat, language, text) => {
    asked.push(`${seat} ${language} ${text}`);
    return { state: 'spoken', seconds, wav: null };
  }, new Loudspeaker());
  return { speaker, asked };
}

test('a newer sentence of the same seat takes the place of the old one, and no other seat is heard less', async () => {
  const { speaker, asked } = listening(60);
  speaker.say(1, 'en', 'one', 'now');
  speaker.say(2, 'pt', 'um', 'now');
  speaker.say(1, 'en', 'two', 'now');
  speaker.say(2, 'pt', 'depois', 'after');
  speaker.say(2, 'pt', '10 segundos', 'idle');
  await sleep(20);
  assert.deepEqual(asked, ['1 en one', '2 pt um', '1 en two']);
  speaker.stop(2);
  assert.equal(asked.at(-1), '2 en ');
});

test('what can wait is said when the sentence before it is over, the newest three of it', async () => {
  const { speaker, asked } = listening(0.05);
  for (const text of ['a', 'b', 'c', 'd', 'e']) speaker.say(1, 'en', text, 'after');
  await until('all is said', () => asked.length === 4);
  assert.deepEqual(asked, ['1 en a', '1 en c', '1 en d', '1 en e']);
});

test('news that waits is dropped where something more urgent is said', async () => {
  const { speaker, asked } = listening(0.02);
  speaker.say(1, 'en', 'a', 'now');
  speaker.say(1, 'en', 'old', 'after');
  speaker.say(1, 'en', 'question', 'now');
  await sleep(200);
  assert.deepEqual(asked, ['1 en a', '1 en question']);
  speaker.say(1, 'en', '10 seconds', 'idle');
  assert.equal(asked.at(-1), '1 en 10 seconds');
});

test('a host that cannot be asked leaves the seat ready for the next sentence', async () => {
  const asked: string[] = [];
  const speaker = createSpeaker(async (_seat, _language, text) => {
    asked.push(text);
    return text === 'lost' ? null : { state: 'failed', why: 'no espeak-ng' };
  }, new Loudspeaker());
  speaker.say(1, 'en', 'lost', 'now');
  speaker.say(1, 'en', 'next', 'after');
  await until('the next one', () => asked.includes('next'));
});
