/**
 * The casino's centre of one table, in memory: it believes nothing, checks every batch with its
 * signature and its chain, answers as the real one does, and hands orders on. Its line can be cut.
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  type Batch,
  type BatchHead,
  batchBytes,
  checkBatch,
  splitBatch,
} from '../../ledger/chain/batch.codec.ts';
import { type CentreOrder, type SentCommand, signCommand } from '../../ledger/chain/command.codec.ts';
import { GENESIS_HASH, toHex } from '../../ledger/chain/entry.codec.ts';
import { keyFromPrivate, verifySignature } from '../../ledger/chain/key.ts';
import { type Report, reportBytes } from '../../ledger/chain/report.codec.ts';

export class NightCentre {
  readonly #terminal: string;
  readonly #key = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
  readonly #server = createServer((request, reply) => void this.#serve(request, reply));
  readonly #nowMs: () => number;
  /** Of the terminal, once it has one. */
  publicKey: Uint8Array | null = null;
  #seq = 0;
  #hash = toHex(GENESIS_HASH);
  #commands: SentCommand[] = [];
  #port = 0;
  /** What was wrong, in the order it came. */
  readonly refused: string[] = [];

  private constructor(terminal: string, nowMs: () => number) {
    this.#terminal = terminal;
    this.#nowMs = nowMs;
  }

  static async open(terminal: string, nowMs: () => number): Promise<NightCentre> {
    const centre = new NightCentre(terminal, nowMs);
    await centre.up();
    return centre;
  }

  get head(): { readonly seq: number; readonly hash: string } {
    return { seq: this.#seq, hash: this.#hash };
  }

  /** With the key of those who may give orders. */
  get url(): string {
    const key = Buffer.from(this.#key.publicKey).toString('base64');
    return `http://127.0.0.1:${this.#port}#command-key=${key}`;
  }

  order(order: CentreOrder, beside: Omit<SentCommand, 'bytes' | 'signature'> = {}): void {
    const no = this.#commands.length + 1;
    const command = { terminal: this.#terminal, no, issuedAtMs: this.#nowMs(), notAfterMs: null };
    this.#commands.push({ ...signCommand({ ...command, issuer: 'M. Lei', order }, this.#key), ...beside });
  }

  /** The same address as before. */
  async up(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    if (this.publicKey === null) return void reply.writeHead(403).end();
    const answer = request.url?.endsWith('/reports') ? this.#report(body) : this.#batch(body);
    const isRefused = 'code' in answer;
    if (isRefused) this.refused.push(JSON.stringify(answer));
    reply.writeHead(isRefused ? 409 : 200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(answer));
  }

  #report(body: Buffer): object {
    const report = JSON.parse(body.toString()) as Report;
    if (!this.#isSigned(reportBytes(report), report)) return { code: 'bad-signature' };
    if (report.disputes !== null) return { code: 'disputed', message: JSON.stringify(report.disputes) };
    return { seq: this.#seq, hash: this.#hash, nowMs: this.#nowMs(), commands: this.#commands };
  }

  #batch(body: Buffer): object {
    const split = splitBatch(body);
    if (typeof split === 'string') return { code: 'malformed', message: split };
    const batch: Batch = { ...(split.head as BatchHead), entries: split.entries };
    if (!this.#isSigned(batchBytes(batch), batch)) return { code: 'bad-signature' };
    if (batch.firstSeq > this.#seq + 1) return { code: 'gap', haveSeq: this.#seq, haveHash: this.#hash };
    const checked = checkBatch(batch);
    if (!checked.ok) return { code: 'malformed', message: `${checked.place}: ${checked.what}` };
    const lastSeq = batch.firstSeq + batch.entries.length - 1;
    // What it has already changes nothing.
    if (lastSeq > this.#seq) {
      if (batch.firstSeq !== this.#seq + 1 || batch.prevHash !== this.#hash)
        return { code: 'fork', seq: batch.firstSeq };
      this.#seq = lastSeq;
      this.#hash = batch.lastHash;
    }
    return { ackSeq: this.#seq, ackHash: this.#hash, commands: this.#commands };
  }

  #isSigned(bytes: Uint8Array, { terminal, signature }: { terminal: string; signature: string }): boolean {
    return (
      terminal === this.#terminal && verifySignature(this.publicKey!, bytes, Buffer.from(signature, 'hex'))
    );
  }
}
