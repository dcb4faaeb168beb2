/**
 * Where a person hands in an order that was signed elsewhere: the service never has the key. The
 * audit has who handed in what, beside who signed it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseBounded } from '../ledger/chain/bounded-json.ts';
import { COMMAND_CHARACTERS } from '../ledger/chain/command.codec.ts';
import { ROSTER_CHARACTERS } from '../ledger/chain/roster.codec.ts';
import { nextCommandNo } from './commands.store.ts';
import type { Db } from './db.store.ts';
import { html } from './html.ts';
import { Malformed, parsed, TerminalPath } from './input.ts';
import { formToken, refuse, sendPage } from './page.ts';
import { Handed, handIn } from './readings.ts';

/** Both in JSON, and a sign before every quotation mark in them. */
const TEXT_CHARACTERS = 2 * (COMMAND_CHARACTERS + ROSTER_CHARACTERS) + 1_000;
const Form = z.strictObject({ token: z.string(), signed: z.string().min(1).max(TEXT_CHARACTERS) });

/** Throws Malformed. */
function signedOf(text: string): z.infer<typeof Handed> {
  let read: unknown;
  try {
    read = parseBounded(text, { characters: TEXT_CHARACTERS, depth: 4 });
  } catch (error) {
    throw new Malformed('body.signed', (error as Error).message);
  }
  return parsed(Handed, read, 'body.signed');
}

export function addOrderPage(app: FastifyInstance, db: Db, publicKey: Uint8Array | null): void {
  const refused = (
    request: FastifyRequest,
    reply: FastifyReply,
    status: 403 | 404 | 409,
    detail: string,
  ): FastifyReply => refuse(request, reply, { status, code: 'order-refused', detail });

  app.get('/terminals/:id/order', async (request, reply) => {
    const { id } = parsed(TerminalPath, request.params, 'path');
    const next = await nextCommandNo(db, id);
    if (next === null) return refused(request, reply, 404, `${id}: not-enrolled`);
    return sendPage(
      request,
      reply,
      (w, _lang, l) => html`<h2>${l.order}</h2><p><a href="/terminals/${id}">${w.terminal} ${id}</a></p>
<p>${l.orderHelp}</p><p>${l.orderNext}: <strong>${next}</strong></p>
<p><code>node upstream/command.ts --key FILE --terminal ${id} --issuer NAME --no ${next} --order JSON --out FILE</code></p>
<form method="post" action="/terminals/${id}/order">${formToken(request)}<p><label>${l.orderText}<br><textarea name="signed" required spellcheck="false"></textarea></label></p>
<button>${l.handIn}</button></form>`,
    );
  });

  app.post('/terminals/:id/order', async (request, reply) => {
    const { id: terminal } = parsed(TerminalPath, request.params, 'path');
    const signed = signedOf(parsed(Form, request.body, 'body').signed);
    if (publicKey === null) return refused(request, reply, 403, '--command-key');
    const answer = await handIn(request, { db, publicKey, terminal }, signed);
    switch (answer.outcome) {
      case 'issued':
        return sendPage(
          request,
          reply,
          (w, _lang, l) => html`<p role="status" class="good">${l.handedIn} ${answer.no}</p>
<p><a href="/terminals/${terminal}">${w.terminal} ${terminal}</a></p>`,
        );
      case 'not-enrolled':
        return refused(request, reply, 404, `${terminal}: not-enrolled`);
      case 'refused':
        return refused(request, reply, 409, `${answer.code}: ${answer.detail}`);
    }
  });
}
