/**
 * Where people prove who they are: log-in by passkey or by the log-in of the house, and the link by
 * which a passkey is made. Open to everybody, so nothing here is kept of who fails.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isRefusedOften, note, type Who } from './audit.store.ts';
import {
  type Address,
  AT_PROVIDER,
  addressOf,
  cookieOf,
  isFromOwnPage,
  SESSION,
  setCookie,
} from './caller.ts';
import type { Db, Queryable } from './db.store.ts';
import { html, STYLE } from './html.ts';
import { parsed } from './input.ts';
import type { LoginWords, Refusal } from './login-words.ts';
import type { Provider } from './oidc.ts';
import { HEADERS, refuse, sendPage } from './page.ts';
import {
  Assertion,
  Attestation,
  askForNewPasskey,
  askForPasskey,
  challengeOf,
  counterOf,
  endOfChallenge,
  makeChallenge,
  newPasskey,
} from './passkeys.ts';
import {
  addPasskey,
  claimedPerson,
  endPasskey,
  endSession,
  isAnybodyThere,
  loginSecret,
  openSession,
  type PersonRow,
  passkeyOf,
  passkeysOf,
  passkeyUsed,
  personOfLink,
  sessionName,
  spendChallenge,
  spendLink,
} from './people.store.ts';

/**
 * Requests of one address a minute: a whole floor that changes shifts behind one. Another address
 * is not kept waiting, and who has logged in goes on.
 */
const A_MINUTE = 300;
const BODY_BYTES = 32_768;

const Why = z.object({
  why: z.enum(['session-over', 'made', 'logged-out']).optional().catch(undefined),
});
const token = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const Link = z.strictObject({ link: token });
const Enrolling = z.strictObject({ link: token, passkey: Attestation });
const Nothing = z.strictObject({});

const SCRIPT = readFileSync(new URL('passkey.mjs', import.meta.url), 'utf8');

export interface LoginPages {
  readonly db: Db;
  readonly address: Address;
  readonly provider: Provider | null;
}

/** Takes back what was done before it: the link stays good. */
class KnownAlready extends Error {}

const whoIs = ({ id, name, role }: PersonRow, { ip: from }: FastifyRequest): Who => ({
  person: id,
  name,
  role,
  from,
});

export function addLoginPages(app: FastifyInstance, { db, address, provider }: LoginPages): void {
  let secret: Promise<Buffer> | null = null;
  const secretOf = (): Promise<Buffer> => {
    secret ??= loginSecret(db).catch((error: unknown) => {
      secret = null;
      throw error;
    });
    return secret;
  };

  app.get('/style.css', async (_request, reply) =>
    reply.headers(HEADERS).type('text/css; charset=utf-8').send(STYLE),
  );
  app.get('/passkey.mjs', async (_request, reply) =>
    reply.headers(HEADERS).type('text/javascript; charset=utf-8').send(SCRIPT),
  );

  /** Passkeys belong to one name: a page under another one is not of use. */
  const isElsewhere = (request: FastifyRequest): boolean =>
    `//${request.host}` !== addressOf(address, request).replace(/^https?:/, '');

  const passkeyButton = (does: 'log-in' | 'enrol', text: string, l: LoginWords) =>
    html`<button type="button" data-does="${does}" data-too-old="${l.tooOld}" data-stopped="${l.stopped}" data-has-one="${l.hasOne}">${text}</button>
<p id="said" class="bad" role="alert"></p><noscript><p class="bad">${l.noScript}</p></noscript>`;

  app.get('/log-in', async (request, reply) => {
    if (isElsewhere(request)) return reply.redirect(`${addressOf(address, request)}${request.url}`, 303);
    const { why } = parsed(Why, request.query, 'query');
    const isNobody = provider === null && !(await isAnybodyThere(db));
    return sendPage(
      request,
      reply,
      (_w, _lang, l) => html`<h2>${l.logIn}</h2>
${why === 'made' ? html`<p role="status" class="good">${l.made}</p>` : ''}${why === 'session-over' ? html`<p role="status">${l.refusals['session-over']}</p>` : ''}
${isNobody ? html`<p>${l.nobodyYet}</p><p><code>node upstream/person.ts --centre ${addressOf(address, request)} --password DIR/people-password --name NAME --role administrator</code></p>` : ''}
${passkeyButton('log-in', l.withPasskey, l)}<p class="none">${l.passkeyHelp}</p>
${provider === null ? '' : html`<p><a class="button" href="/log-in/provider">${l.withProvider.replace('{provider}', () => provider.name)}</a></p>`}
<p class="none">${l.noPasskey}</p>`,
      '/passkey.mjs',
    );
  });

  app.get('/enrol', async (request, reply) =>
    sendPage(
      request,
      reply,
      (_w, _lang, l) => html`<h2>${l.enrolTitle}</h2><p>${l.enrolHelp}</p>
<p>${l.enrolFor}: <strong id="name">…</strong></p>${passkeyButton('enrol', l.makePasskey, l)}<p class="none">${l.passkeyHelp}</p>`,
      '/passkey.mjs',
    ),
  );

  /** A new session; one that the browser had until now is over. */
  async function open(
    q: Queryable,
    request: FastifyRequest,
    reply: FastifyReply,
    person: PersonRow,
  ): Promise<void> {
    const before = cookieOf(address, request, SESSION);
    if (before !== null) await endSession(q, person.id, sessionName(before));
    const value = await openSession(q, person.id, request.ip);
    await note(q, whoIs(person, request), 'log-in');
    setCookie(address, request, reply, { cookie: SESSION, value });
  }

  void app.register(async (scope) => {
    await scope.register(rateLimit, {
      max: A_MINUTE,
      timeWindow: 60_000,
      keyGenerator: (request) => networkOf(request.ip),
      errorResponseBuilder: () => Object.assign(new Error('too many'), { statusCode: 429 }),
    });
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method === 'POST' && !isFromOwnPage(address, request))
        return refuse(request, reply, { status: 403, code: 'other-site' });
      return undefined;
    });
    const body = { bodyLimit: BODY_BYTES };
    const no = (request: FastifyRequest, reply: FastifyReply, code: Refusal, status = 401): FastifyReply =>
      refuse(request, reply, { status, code });

    scope.post('/log-in/challenge', body, async (request, reply) => {
      parsed(Nothing, request.body, 'body');
      const challenge = makeChallenge(await secretOf(), 'log-in', Date.now());
      return reply.headers(HEADERS).send(askForPasskey(addressOf(address, request), challenge));
    });

    scope.post('/log-in/passkey', body, async (request, reply) => {
      const answer = parsed(Assertion, request.body, 'body');
      const known = await passkeyOf(db, answer.id);
      if (known === null) return no(request, reply, 'unknown-passkey');
      const { person, publicKey } = known;
      if (await isRefusedOften(db, person.id)) return no(request, reply, 'too-many', 429);
      const refused = async (code: Refusal): Promise<FastifyReply> => {
        await note(db, whoIs(person, request), 'log-in-refused', code);
        return no(request, reply, code);
      };
      const challenge = challengeOf(answer.response);
      const endMs = endOfChallenge(await secretOf(), 'log-in', challenge, Date.now());
      if (endMs === null) return refused('challenge-over');
      const counter = await counterOf(addressOf(address, request), answer, publicKey);
      if (counter === null) return refused('passkey-refused');
      const isDone = await db.transaction(async (q): Promise<Refusal | null> => {
        if (!(await spendChallenge(q, challenge, endMs))) return 'challenge-over';
        if (!(await passkeyUsed(q, answer.id, counter))) {
          // Whichever of the two is the person's, the other is not.
          await endPasskey(q, answer.id);
          await note(q, whoIs(person, request), 'passkey-cloned');
          return 'passkey-cloned';
        }
        await open(q, request, reply, person);
        return null;
      });
      return isDone === null ? reply.headers(HEADERS).send({ to: '/' }) : refused(isDone);
    });

    const linkPurpose = (link: string) => `link ${hash('sha256', link)}` as const;

    scope.post('/enrol/challenge', body, async (request, reply) => {
      const { link } = parsed(Link, request.body, 'body');
      const person = await personOfLink(db, link);
      if (person === null) return no(request, reply, 'link-over');
      const challenge = makeChallenge(await secretOf(), linkPurpose(link), Date.now());
      const known = (await passkeysOf(db, person.id)).map(({ credential }) => credential);
      const options = askForNewPasskey(addressOf(address, request), challenge, person, known);
      return reply.headers(HEADERS).send({ name: person.name, options });
    });

    scope.post('/enrol/passkey', body, async (request, reply) => {
      const { link, passkey: answer } = parsed(Enrolling, request.body, 'body');
      const person = await personOfLink(db, link);
      if (person === null) return no(request, reply, 'link-over');
      const challenge = challengeOf(answer.response);
      if (endOfChallenge(await secretOf(), linkPurpose(link), challenge, Date.now()) === null)
        return no(request, reply, 'challenge-over');
      const passkey = await newPasskey(addressOf(address, request), answer);
      if (passkey === null) return no(request, reply, 'passkey-refused');
      const refused = await db
        .transaction(async (q): Promise<Refusal | null> => {
          if ((await spendLink(q, link)) !== person.id) return 'link-over';
          if (!(await addPasskey(q, person.id, passkey))) throw new KnownAlready();
          await note(q, whoIs(person, request), 'passkey-made');
          return null;
        })
        .catch((error: unknown): Refusal => {
          if (error instanceof KnownAlready) return 'passkey-known';
          throw error;
        });
      return refused === null
        ? reply.headers(HEADERS).send({ to: '/log-in?why=made' })
        : no(request, reply, refused);
    });

    const wayBack = (request: FastifyRequest): string =>
      `${addressOf(address, request)}/log-in/provider/back`;

    scope.get('/log-in/provider', async (request, reply) => {
      if (provider === null) return no(request, reply, 'no-provider', 404);
      if (isElsewhere(request)) return reply.redirect(`${addressOf(address, request)}${request.url}`, 303);
      const key = await secretOf();
      const state = makeChallenge(key, 'provider', Date.now());
      const to = await provider.begin(wayBack(request), state, key);
      if (to === null) return no(request, reply, 'provider-away', 502);
      setCookie(address, request, reply, { cookie: AT_PROVIDER, value: state });
      return reply.headers(HEADERS).redirect(to.href, 303);
    });

    scope.get('/log-in/provider/back', async (request, reply) => {
      if (provider === null) return no(request, reply, 'no-provider', 404);
      const state = cookieOf(address, request, AT_PROVIDER) ?? '';
      setCookie(address, request, reply, { cookie: AT_PROVIDER, value: '' });
      const key = await secretOf();
      const endMs = endOfChallenge(key, 'provider', state, Date.now());
      if (endMs === null) return no(request, reply, 'challenge-over');
      const url = new URL(request.url, wayBack(request));
      if (url.searchParams.get('state') !== state) return no(request, reply, 'provider-refused');
      if (!(await spendChallenge(db, state, endMs))) return no(request, reply, 'challenge-over');
      const answer = await provider.end(url, state, key);
      if (answer.outcome !== 'known') {
        if (answer.outcome === 'no-role') {
          const who = { person: null, name: answer.name, role: '–', from: request.ip };
          await note(db, who, 'log-in-refused', 'no-role');
        }
        const status = answer.outcome === 'provider-away' ? 502 : answer.outcome === 'no-role' ? 403 : 401;
        return no(request, reply, answer.outcome, status);
      }
      const { claimed } = answer;
      const isIn = await db.transaction(async (q): Promise<boolean> => {
        const found = await claimedPerson(q, claimed);
        if (found === null) return false;
        const { person, roleBefore } = found;
        const who = whoIs(person, request);
        if (roleBefore === null) await note(q, who, 'person-added', claimed.issuer);
        else if (roleBefore !== person.role)
          await note(q, who, 'role-changed', `${roleBefore} → ${person.role}`);
        await open(q, request, reply, person);
        return true;
      });
      if (!isIn) return no(request, reply, 'ended', 403);
      // A strict cookie does not go along on a way that began at another site; from here it does.
      return sendPage(
        request,
        reply.header('refresh', '0; url=/'),
        (_w, _lang, l) => html`<p><a class="button" href="/">${l.goOn}</a></p>`,
      );
    });
  });
}

/** One subscriber has a whole /64 of IPv6. */
const networkOf = (ip: string): string => (ip.includes(':') ? ip.split(':').slice(0, 4).join(':') : ip);
