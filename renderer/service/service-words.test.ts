import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { serviceText } from '../i18n.ts';
import { reasonText } from './service-words.ts';

const messageOf = (fails: () => unknown): string => {
  try {
    fails();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it did not fail');
};

test('what the system says of a failure is told in the language of the reader, and what it said stands behind', async () => {
  const full = messageOf(() => writeFileSync('/dev/full', 'x'));
  assert.equal(reasonText(full, serviceText('zh-Hant')), `磁碟已滿（「${full}」）`);
  assert.equal(reasonText(full, serviceText('pt')), `O disco está cheio («${full}»)`);
  const gone = messageOf(() => readFileSync('/no/such/file'));
  assert.match(reasonText(gone, serviceText('en')), /^The file or device is not there \(«ENOENT/);
  // port 1 of this machine: nobody listens there
  const refused = await new Promise<string>((told) => {
    connect(1, '127.0.0.1').once('error', (error) => told(`fetch failed: ${error.message}`));
  });
  assert.match(reasonText(refused, serviceText('pt')), /^Ninguém responde neste endereço \(«fetch failed/);
});

test('an answer of the centre is explained, and what nobody knows is left as it is', () => {
  const answer = 'the centre answered 404: {"code":"not-enrolled"}';
  assert.match(reasonText(answer, serviceText('zh-Hant')), /^中心未登記本終端/);
  assert.equal(reasonText('its thread has ended', serviceText('pt')), 'its thread has ended');
});
