/**
 * What programs of the operator ask: entries, figures, health; and where signed commands are handed
 * in.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import { COMMAND_CHARACTERS } from '../ledger/chain/command.codec.ts';
import { EXCLUSION_CHARACTERS } from '../ledger/chain/exclusions.codec.ts';
import { ROSTER_CHARACTERS } from '../ledger/chain/roster.codec.ts';
import { note } from './audit.store.ts';
import { whoOf } from './caller.ts';
import { type IssueAnswer, issueCommand, nextCommandNo } from './commands.store.ts';
import type { Db } from './db.store.ts';
import { parsed, TerminalPath } from './input.ts';

const PAGE_LIMIT = 1000;
const Page = z.strictObject({
  from: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT).default(PAGE_LIMIT),
});
/** A signed order as `upstream/command.ts` writes it. */
export const Handed = z.strictObject({
  bytes: z.string().min(1).max(COMMAND_CHARACTERS),
  signature: z.string().regex(/^[0-9a-f]{128}$/, 'must be 128 lower-case hex digits'),
  roster: z.string().min(1).max(ROSTER_CHARACTERS).exactOptional(),
  exclusions: z.string().min(1).max(EXCLUSION_CHARACTERS).exactOptional(),
});
/** A command with what travels beside it, in JSON that may put a sign before every character. */
const HANDED_BYTES = 2 * (EXCLUSION_CHARACTERS + COMMAND_CHARACTERS);

export function addReadings(app: FastifyInstance, db: Db, registry: Registry): void {
  app.get('/v1/terminals/:id/entries', async (request, reply) => {
    const { id } = parsed(TerminalPath, request.params, 'path');
    const { from, limit } = parsed(Page, request.query, 'query');
    const entries = await db.query(
      `SELECT seq::float8 AS seq, bytes, encode(hash, 'hex') AS hash FROM entries
       WHERE terminal_id = $1 AND seq >= $2 ORDER BY seq LIMIT $3`,
      [id, from, limit],
    );
    return reply.send({ terminal: id, entries });
  });

  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

/** For whatever watches the service; it asks for no log-in, so it tells nothing else. */
export function addHealth(app: FastifyInstance, db: Db): void {
  app.get('/healthz', async (request, reply) => {
    try {
      await db.query('SELECT 1');
      return reply.send({ ok: true });
    } catch (error) {
      request.log.error(error);
      return reply.code(503).send({ ok: false });
    }
  });
}

/** Hands in an order in the name of who asks, and notes it with what became of it. */
export async function handIn(
  request: FastifyRequest,
  { db, publicKey, terminal }: { readonly db: Db; readonly publicKey: Uint8Array; readonly terminal: string },
  signed: z.infer<typeof Handed>,
): Promise<IssueAnswer> {
  const who = whoOf(request)!;
  const answer = await issueCommand(db, publicKey, terminal, signed, (q, { no, issuer, order }) =>
    note(q, who, 'order', `${terminal} ${no} ${order.type}, signed by ${issuer}`),
  );
  if (answer.outcome !== 'issued')
    await note(
      db,
      who,
      'order-refused',
      `${terminal} ${answer.outcome === 'refused' ? answer.code : answer.outcome}`,
    );
  return answer;
}

export function addCommandDesk(app: FastifyInstance, db: Db, publicKey: Uint8Array | null): void {
  const notEnrolled = (id: string) => ({ code: 'not-enrolled', message: `terminal ${id} is not enrolled` });

  app.get('/v1/terminals/:id/commands', async (request, reply) => {
    const { id } = parsed(TerminalPath, request.params, 'path');
    const next = await nextCommandNo(db, id);
    return next === null ? reply.code(404).send(notEnrolled(id)) : reply.send({ terminal: id, next });
  });

  app.post('/v1/terminals/:id/commands', { bodyLimit: HANDED_BYTES }, async (request, reply) => {
    const { id } = parsed(TerminalPath, request.params, 'path');
    const signed = parsed(Handed, request.body, 'body');
    if (publicKey === null)
      return reply.code(403).send({ code: 'no-command-key', message: 'started without --command-key' });
    const answer = await handIn(request, { db, publicKey, terminal: id }, signed);
    switch (answer.outcome) {
      case 'issued':
        return reply.send({ terminal: id, no: answer.no });
      case 'not-enrolled':
        return reply.code(404).send(notEnrolled(id));
      case 'refused':
        return reply.code(409).send({ code: answer.code, message: answer.detail, next: answer.next });
    }
  });
}
