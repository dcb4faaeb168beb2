/**
 * Gives a terminal a command: `node upstream/command.ts --key FILE --centre URL --password FILE
 * --terminal ID --issuer NAME --order JSON [--valid-s SECONDS]`, and `node upstream/command.ts
 * --key FILE --make-key` for a new key. URL is the operators' address of any instance. The key need
 * not lie where the service runs: who takes over the service can hold commands back and make none.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { FILE_BOUNDS, parseBounded } from '../ledger/chain/bounded-json.ts';
import { type CentreCommand, signCommand } from '../ledger/chain/command.codec.ts';
import { signing } from './signing.ts';

const { values, needed, fail, orFail, ...signer } = signing('command', {
  'make-key': { type: 'boolean', default: false },
  order: { type: 'string' },
  'valid-s': { type: 'string' },
});
const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
if (values['make-key']) {
  const path = needed('key');
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  orFail(() => writeFileSync(path, pem, { mode: 0o600, flag: 'wx' }));
  say({ commandKey: Buffer.from(signer.key().publicKey).toString('base64') });
} else {
  const key = signer.key();
  const ask = signer.asking();
  const validS = values['valid-s'] === undefined ? null : Number(values['valid-s']);
  if (validS !== null && !(validS > 0)) fail(`--valid-s ${values['valid-s']}: expected a number of seconds`);
  const { next } = await ask<{ next: number }>('/commands');
  const issuedAtMs = Date.now();
  const signed = orFail(
    () =>
      signCommand(
        {
          terminal: needed('terminal'),
          no: next,
          issuedAtMs,
          notAfterMs: validS === null ? null : issuedAtMs + Math.round(validS * 1000),
          issuer: needed('issuer'),
          order: parseBounded(needed('order'), FILE_BOUNDS) as CentreCommand['order'],
        },
        key,
      ),
    '--order: ',
  );
  say(
    await ask<object>('/commands', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signed),
    }),
  );
}
