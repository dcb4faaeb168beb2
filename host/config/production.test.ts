import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hashPin } from './people.ts';
import { PUBLISHED_PINS, publishedPin } from './production.ts';
import { readTerminalFile } from './terminal-file.ts';

const DEMO = fileURLToPath(new URL('../profiles/demo.json', import.meta.url));

test('the published PINs are those of the demonstration, and are found however they are hashed', async () => {
  const demo = readTerminalFile(DEMO);
  for (const record of demo.people)
    assert.match(
      (await publishedPin(DEMO, demo, [record])) ?? '',
      new RegExp(`demo\\.json: people\\.\\d\\.pinHash: the PIN of ${record.id} is published: `),
    );
  assert.equal(PUBLISHED_PINS.length, demo.people.length);
  const people = await Promise.all(
    demo.people.map(async (record, index) => ({
      ...record,
      pinHash: await hashPin(index === 3 ? '2222' : `60491${index}`, 12),
    })),
  );
  assert.match(
    (await publishedPin(DEMO, { ...demo, people })) ?? '',
    /people\.3\.pinHash: the PIN of T-01 is/,
  );
  assert.equal(await publishedPin(DEMO, { ...demo, people }, people.slice(0, 3)), null);
});
