/** Staff cards on a reader of Debian's pcscd: card and PIN together, what goes in the middle. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Credential } from '../../wire/fields.ts';
import { CREDENTIAL, people, TestTerminal } from '../host/test-terminal.ts';
import { ROOT } from '../shell/paths.ts';
import { CardReader, NO_READER } from '../support/card-reader.ts';

const BANCA = join(ROOT, 'cli', 'banca.ts');

test('a card and its PIN let somebody in, either alone does not; a card or reader gone in mid-read leaves nothing half done', {
  skip: NO_READER,
}, async (t) => {
  const reader = await CardReader.open(t);
  const [ofLei, ofMaria, ofNobody] = [reader.newCard(), reader.newCard(), reader.newCard()];
  const cards: Readonly<Record<string, string>> = { 'D-01': ofLei.id, 'S-01': ofMaria.id };
  const staff = (await people).map((person) => {
    const card = cards[person.id];
    return card === undefined ? person : { ...person, card };
  });
  const kit = await TestTerminal.open(t, {
    pcscdSocket: reader.socket,
    file: { people: staff, staffCards: { pinAlone: ['technician'] } },
  });
  const card = () => kit.view.pinPad.card;
  const shows = (state: string, person: string | null = null): Promise<void> =>
    kit.until(`${state} ${person}`, () => card()?.state === state && card()?.person === person);
  const signIn = (credential: Credential) => ({ type: 'sign-in-dealer', credential }) as const;
  const why = (): unknown => kit.last('access-refused')['why'];

  await shows('empty');
  await kit.refused(signIn(CREDENTIAL.dealer), 'person');
  assert.equal(why(), 'no-card');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.do({ type: 'exit-service' });

  await reader.lay(ofLei);
  await shows('read', '1');
  // The card answers in this very process.
  const { stdout } = await promisify(execFile)(process.execPath, [BANCA, 'card', '--socket', reader.socket]);
  assert.equal((JSON.parse(stdout) as { card: string }).card, ofLei.id);
  await kit.refused(signIn({ ...CREDENTIAL.dealer, pin: '9999' }), 'person');
  assert.equal(why(), 'wrong-pin');
  await kit.refused(signIn(CREDENTIAL.supervisor), 'person');
  assert.equal(why(), 'no-card', 'the card of another person');
  await kit.do(signIn(CREDENTIAL.dealer));

  // The same reader serves the second of two persons; a card that has left counts a minute more.
  reader.take();
  await shows('empty');
  await kit.do({ type: 'sign-out-dealer' });
  await kit.do(signIn(CREDENTIAL.dealer));
  kit.offsetMs += 61_000;
  await kit.do({ type: 'sign-out-dealer' });
  await kit.refused(signIn(CREDENTIAL.dealer), 'person');
  assert.equal(why(), 'no-card');

  await reader.lay(ofNobody);
  await shows('unknown');
  reader.take();
  await shows('empty');
  ofMaria.stranger = true;
  await reader.lay(ofMaria);
  await shows('unreadable');
  await kit.refused(signIn(CREDENTIAL.supervisor), 'person');
  reader.take();
  ofMaria.stranger = false;
  // It says so for ten seconds.
  kit.offsetMs += 11_000;
  await shows('empty');

  ofMaria.leaves = { at: 'certificate', by: () => reader.take() };
  await reader.lay(ofMaria);
  await shows('unreadable');
  assert.match(kit.log.at(-1)!, /it has gone|transmit/);
  await kit.refused(signIn(CREDENTIAL.supervisor), 'person');
  assert.equal(why(), 'no-card');
  ofMaria.leaves = { at: 'sign', by: () => void reader.pullOut() };
  await reader.lay(ofMaria);
  await shows('no-reader');
  await kit.refused(signIn(CREDENTIAL.supervisor), 'person');
  assert.equal(why(), 'no-card');
  ofMaria.leaves = null;
  await reader.plugIn();
  await shows('empty');
  await reader.lay(ofMaria);
  await shows('read', '3');
  kit.offsetMs += 20 * 60_000;
  await kit.do(signIn(CREDENTIAL.supervisor));
  assert.equal(kit.entries('dealer-signed-in').length, 3);
});
