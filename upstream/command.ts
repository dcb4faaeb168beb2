/**
 * Gives a terminal a command: `node upstream/command.ts --key FILE --centre URL --password FILE
 * --terminal ID --issuer NAME --order JSON [--valid-s SECONDS]`, with `--roster FILE --until TIME`
 * in place of `--order` for the people of a terminal, `--exclusions FILE` for the list of those who
 * may not play, as `banca exclusions` makes it, and `node upstream/command.ts --key FILE
 * --make-key` for a new key. With `--no N --out FILE` in place of `--centre` and `--password` it
 * asks no centre and writes the signed order, for a person to hand in on the terminal's page; N
 * stands there. URL is the operators' address of any instance. The key need not lie where the
 * service runs: who takes over the service can hold commands back and make none.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readBounded, readJsonFile } from '../ledger/chain/bounded-file.store.ts';
import { FILE_BOUNDS, parseBounded } from '../ledger/chain/bounded-json.ts';
import { type CentreOrder, signCommand } from '../ledger/chain/command.codec.ts';
import { EXCLUSION_CHARACTERS, readExclusions } from '../ledger/chain/exclusions.codec.ts';
import { readRoster, textHash } from '../ledger/chain/roster.codec.ts';
import { signing } from './signing.ts';

const { values, needed, fail, orFail, ...signer } = signing('command', {
  'make-key': { type: 'boolean', default: false },
  order: { type: 'string' },
  roster: { type: 'string' },
  until: { type: 'string' },
  exclusions: { type: 'string' },
  'valid-s': { type: 'string' },
  no: { type: 'string' },
  out: { type: 'string' },
});
/** The text of a file with a list of people, or with `people` as a terminal file has them. */
function rosterOf(path: string): string {
  const read = readJsonFile(path);
  const people = Array.isArray(read) ? read : (read as { readonly people?: unknown }).people;
  const text = JSON.stringify(people ?? null);
  const problem = readRoster(text);
  if (typeof problem === 'string') throw new Error(`${path}: ${problem}`);
  return text;
}

/** The text of a list of those who may not play. */
function exclusionsOf(path: string): string {
  const text = readBounded(path, EXCLUSION_CHARACTERS);
  const list = readExclusions(text);
  if (typeof list === 'string') throw new Error(`${path}: ${list}`);
  return text;
}

function untilOf(text: string): number {
  const ms = Date.parse(text);
  return ms > Date.now()
    ? ms
    : fail(`--until ${text}: expected a time to come, as in 2027-01-31T06:00+08:00`);
}

function orderOf(roster: string | null, exclusions: string | null): CentreOrder {
  if (roster !== null) return { type: 'roster', sha256: textHash(roster), untilMs: untilOf(needed('until')) };
  if (exclusions !== null) return { type: 'exclusions', sha256: textHash(exclusions) };
  return orFail(() => parseBounded(needed('order'), FILE_BOUNDS) as CentreOrder, '--order: ');
}

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
  if ((values.no === undefined) !== (values.out === undefined)) fail('--no and --out belong together');
  const ask = values.out === undefined ? signer.asking() : null;
  const validS = values['valid-s'] === undefined ? null : Number(values['valid-s']);
  if (validS !== null && !(validS > 0)) fail(`--valid-s ${values['valid-s']}: expected a number of seconds`);
  const roster = values.roster === undefined ? null : orFail(() => rosterOf(values.roster!), '--roster: ');
  const exclusions =
    values.exclusions === undefined ? null : orFail(() => exclusionsOf(values.exclusions!), '--exclusions: ');
  const order = orderOf(roster, exclusions);
  const next = ask === null ? Number(values.no) : (await ask<{ next: number }>('/commands')).next;
  if (!(Number.isSafeInteger(next) && next > 0)) fail(`--no ${values.no}: expected the number of an order`);
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
          order,
        },
        key,
      ),
    '--order: ',
  );
  const sent = {
    ...signed,
    ...(roster === null ? {} : { roster }),
    ...(exclusions === null ? {} : { exclusions }),
  };
  if (ask === null) {
    const path = needed('out');
    orFail(() => writeFileSync(path, `${JSON.stringify(sent)}\n`, { mode: 0o600, flag: 'wx' }));
    say({ order: path, terminal: needed('terminal'), no: next });
  } else
    say(
      await ask<object>('/commands', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      }),
    );
}
