import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { serviceText } from '../texts/i18n.ts';
import { meaningOf } from './service-words.ts';

const messageOf = (fails: () => unknown): string => {
  try {
    fails();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it did not fail');
};

test('what the system says of a failure is reported in the language of the reader', async () => {
  const full = messageOf(() => writeFileSync('/dev/full', 'x'));
  assert.equal(meaningOf(full, serviceText('zh-Hant')), '磁碟已滿');
  assert.equal(meaningOf(full, serviceText('pt')), 'O disco está cheio');
  const gone = messageOf(() => readFileSync('/no/such/file'));
  assert.equal(meaningOf(gone, serviceText('en')), 'The file or device is not there');
  // port 1 of this machine: nobody listens there
  const refused = await new Promise<string>((told) => {
    connect(1, '127.0.0.1').once('error', (error) => told(`fetch failed: ${error.message}`));
  });
  assert.equal(meaningOf(refused, serviceText('pt')), 'Ninguém responde neste endereço');
});

test('an answer of the centre is explained, and of what nobody knows nothing is said', () => {
  const answer = 'the centre answered 404: {"code":"not-enrolled"}';
  assert.equal(meaningOf(answer, serviceText('zh-Hant')), '中央未登記本終端機');
  assert.equal(meaningOf('its thread has ended', serviceText('pt')), null);
});
