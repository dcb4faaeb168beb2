/** A table that a test writes itself: signed entries and reports go to a real centre by HTTP. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BATCH_TYPE, encodeBatch, makeBatch } from '../../ledger/chain/batch.codec.ts';
import { chainHash, encodeEntry, GENESIS_HASH, type Posting, toHex } from '../../ledger/chain/entry.codec.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import { makeReport } from '../../ledger/chain/report.codec.ts';

export interface FedEntry {
  readonly kind: string;
  readonly body?: object;
  readonly atMs?: number;
  readonly postings?: readonly Posting[];
  readonly roundId?: string;
}

export class FedTable {
  readonly id: string;
  readonly #key;
  readonly #pem: string;
  #waiting: { seq: number; bytes: Buffer; hash: Uint8Array }[] = [];
  #seq = 0;
  #hash: Uint8Array = GENESIS_HASH;
  #sent: { readonly seq: number; readonly hash: Uint8Array } = { seq: 0, hash: GENESIS_HASH };

  constructor(id: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.id = id;
    this.#key = keyFromPrivate(privateKey);
    this.#pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  /** Of its newest entry. */
  get seq(): number {
    return this.#seq;
  }

  enrol(dir: string): this {
    writeFileSync(join(dir, `${this.id}.pub`), this.#pem);
    return this;
  }

  add(...entries: readonly FedEntry[]): this {
    for (const { kind, body = {}, atMs = Date.now(), postings = [], roundId = null } of entries) {
      const seq = this.#seq + 1;
      const none = { commandId: null, noteId: null, postings };
      const fields = { ...none, seq, atMs, kind, roundId, body: body as never };
      const bytes = Buffer.from(encodeEntry(this.id, fields));
      this.#hash = chainHash(this.#hash, bytes);
      this.#seq = seq;
      this.#waiting.push({ seq, bytes, hash: this.#hash });
    }
    return this;
  }

  /** All that was added since. */
  async send(url: string): Promise<void> {
    const batch = makeBatch(this.id, this.#sent.hash, this.#waiting, this.#key);
    const answer = await this.#post(`${url}/v1/terminals/${this.id}/batches`, BATCH_TYPE, encodeBatch(batch));
    assert.equal(answer.status, 200, await answer.text());
    this.#waiting = [];
    this.#sent = { seq: this.#seq, hash: this.#hash };
  }

  async report(url: string): Promise<void> {
    const [headHash, ackedHash] = [toHex(this.#hash), toHex(this.#sent.hash)];
    const head = { terminal: this.id, headSeq: this.#seq, headHash, ackedSeq: this.#sent.seq, ackedHash };
    const said = JSON.stringify(makeReport({ ...head, clockOffMs: 0, disputes: null }, this.#key));
    const answer = await this.#post(`${url}/v1/terminals/${this.id}/reports`, 'application/json', said);
    assert.equal(answer.status, 200, await answer.text());
  }

  #post(address: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
    return fetch(address, { method: 'POST', headers: { 'content-type': type }, body });
  }
}

/** `minor` MOP from one account to another. */
export const post = (from: string, to: string, minor: number): Posting[] => [
  { account: from, currency: 'MOP', amountMinor: minor },
  { account: to, currency: 'MOP', amountMinor: -minor },
];

export const note = (acceptor: number, valueMinor: number): FedEntry => ({
  kind: 'note-credited',
  body: { acceptor, currency: 'MOP', valueMinor },
  postings: post(`cash-box:${acceptor}`, `seat-credit:${acceptor}`, valueMinor),
});

export const dealer = (name: string) => ({ person: { id: 'D', name, role: 'dealer' } });

/** A table of this game, open, with somebody on these seats. */
export const opened = (
  rulebook: string,
  dealing: string,
  taken: readonly number[],
  seatCount = 7,
): FedEntry[] => [
  { kind: 'program-started', body: { after: 'nothing' } },
  { kind: 'code-checked', body: { version: '1.0.0', id: 'a5'.repeat(32) } },
  {
    kind: 'table-configured',
    body: {
      profile: {
        tableName: `Table of ${dealing}`,
        rulebook,
        seatCount,
        currency: 'MOP',
        acceptors: 'per-seat',
      },
    },
  },
  { kind: 'dealer-signed-in', body: dealer(dealing) },
  ...taken.map((seat) => ({ kind: 'session-began', body: { seat, currency: 'MOP', broughtMinor: 100_000 } })),
];

/** A round of a full table, as the live table writes it. */
export const roundOf = (roundNo: number, atMs = Date.now()): FedEntry[] =>
  [
    { kind: 'betting-opened', body: { roundId: `r${roundNo}`, roundNo, last: false } },
    ...Array.from({ length: 7 }, (_, i) => ({
      kind: 'bet-placed',
      body: { seat: i + 1, amountMinor: 10_000 },
    })),
    { kind: 'betting-closed' },
    ...Array.from({ length: 16 }, (_, i) => ({ kind: 'card-dealt', body: { seat: (i % 7) + 1, card: i } })),
    { kind: 'round-settled', body: { currency: 'MOP', lines: [] } },
    { kind: 'round-closed', body: { next: 'idle', cardsBack: false } },
  ].map((entry) => ({ ...entry, atMs }));
