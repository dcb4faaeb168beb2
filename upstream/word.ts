/**
 * The centre's word for a terminal whose ledger is in dispute, with the entries it needs to go on,
 * in one file for the technician: `node upstream/word.ts --key FILE --centre URL --password FILE
 * --terminal ID --issuer NAME --disputed SEQ:HASH [--lost SEQ:HASH] --out FILE [--from SEQ]`.
 * SEQ:HASH is the newest entry of the ledger there, as the terminal's log, `banca restore` and the
 * centre's pages tell it.
 */
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { type SignedWord, signWord } from '../ledger/chain/word.codec.ts';
import { signing } from './signing.ts';

const { values, needed, fail, orFail, ...signer } = signing('word', {
  disputed: { type: 'string' },
  lost: { type: 'string' },
  out: { type: 'string' },
  from: { type: 'string', default: '1' },
});
const key = signer.key();
const ask = signer.asking();
const at = (name: 'disputed' | 'lost'): { seq: number; hash: string } => {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(needed(name)) ?? [];
  return hash === undefined ? fail(`--${name}: expected SEQ:HASH`) : { seq: Number(seq), hash };
};
const disputed = at('disputed');
const lost = values.lost === undefined ? null : at('lost');
if (!/^[1-9]\d{0,14}$/.test(values.from)) fail(`--from ${values.from}: expected the number of an entry`);
const terminal = needed('terminal');
const head = await ask<{ seq: number; hash: string }>('');
const word: SignedWord = orFail(() =>
  signWord(
    {
      terminal,
      centre: { seq: head.seq, hash: head.hash },
      disputed,
      lost,
      issuedAtMs: Date.now(),
      issuer: needed('issuer'),
    },
    key,
  ),
);
const path = needed('out');
const out = createWriteStream(path, { flags: 'wx', mode: 0o600 });
out.on('error', (error) => fail(error.message));
const firstSeq = Math.min(Number(values.from), head.seq + 1);
out.write(`${JSON.stringify({ word, firstSeq })}\n`);
for (let from = firstSeq; from <= head.seq; ) {
  const { entries } = await ask<{ entries: { seq: number; bytes: string }[] }>(`/entries?from=${from}`);
  const wanted = entries.filter((entry) => entry.seq <= head.seq);
  if (wanted.length === 0) fail(`the centre has no entry ${from}`);
  for (const { bytes } of wanted) out.write(`${bytes}\n`);
  from = wanted.at(-1)!.seq + 1;
}
out.end();
await finished(out);
process.stdout.write(
  `${JSON.stringify({ word: path, terminal, centre: head, entries: head.seq + 1 - firstSeq })}\n`,
);
