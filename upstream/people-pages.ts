/** Pages of people: who is let in, one's own account, and the audit. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isPlain } from '../ledger/chain/plain-line.ts';
import { ACTS, AUDIT_LINES, auditLines, note } from './audit.store.ts';
import { type Address, addressOf, type Person, personOf, SESSION, setCookie, whoOf } from './caller.ts';
import type { Db, Queryable } from './db.store.ts';
import { type Html, html, moment, table } from './html.ts';
import { parsed } from './input.ts';
import type { LoginWords, Refusal } from './login-words.ts';
import { formToken, refuse, sendPage } from './page.ts';
import {
  addPerson,
  changeRole,
  endPerson,
  endProofs,
  endSession,
  makeLink,
  type PersonLine,
  passkeysOf,
  personLines,
  sessionsOf,
} from './people.store.ts';
import { PROGRAMS, ROLES, type Role } from './rights.ts';

const Name = z.string().trim().min(1).max(80).refine(isPlain, 'has characters that cannot be seen');
const RoleText = z.enum(ROLES);
/** The log-in has compared it. */
const token = z.string();
const Added = z.strictObject({ token, name: Name, role: RoleText });
const AddedByCommand = z.strictObject({ name: Name, role: RoleText });
const NewRole = z.strictObject({ token, role: RoleText });
const Bare = z.strictObject({ token });
const Ended = z.strictObject({ token, session: z.string().regex(/^[0-9a-f]{64}$/) });
const number = z.coerce
  .number()
  .int()
  .min(1)
  .max(2 ** 31 - 1);
const PersonPath = z.object({ person: number });
const AuditQuery = z.strictObject({
  before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  person: number.optional(),
});
const FORM = { bodyLimit: 16_384 };

/** Short enough to be told from others of the same person. */
const shortOf = (name: string): string => `${name.slice(0, 8)}…`;

const roleChoice = (l: LoginWords, chosen: Role | null): Html =>
  html`<select name="role" required aria-label="${l.role}">${ROLES.map((role) =>
    role === chosen
      ? html`<option value="${role}" selected>${l.roles[role]}</option>`
      : html`<option value="${role}">${l.roles[role]}</option>`,
  )}</select>`;

export function addPeoplePages(
  app: FastifyInstance,
  { db, address }: { readonly db: Db; readonly address: Address },
): void {
  const no = (request: FastifyRequest, reply: FastifyReply, code: Refusal, status: number): FastifyReply =>
    refuse(request, reply, { status, code });
  const form = (request: FastifyRequest, action: string, inside: Html, name: string): Html =>
    html`<form method="post" action="${action}">${formToken(request)}${inside}<button>${name}</button></form>`;

  const linkOf = (request: FastifyRequest, link: string): string =>
    `${addressOf(address, request)}/enrol#${link}`;
  /** The only time that the link is shown. */
  const showLink = (request: FastifyRequest, reply: FastifyReply, name: string, link: string): FastifyReply =>
    sendPage(
      request,
      reply,
      (_w, _lang, l) => html`<h2>${l.link}</h2><p>${l.enrolFor}: <strong>${name}</strong></p>
<p>${l.linkHelp}</p><p><label>${l.link}<br><input class="link" readonly value="${linkOf(request, link)}"></label></p>`,
    );

  // ---- people ----

  app.get('/people', async (request, reply) => {
    const lines = await personLines(db);
    const self = personOf(request)!;
    return sendPage(
      request,
      reply,
      (w, _lang, l) =>
        html`<h2>${l.people}</h2>${table(
          [l.name, l.role, l.knownBy, l.passkeys, l.sessions, l.lastLogIn, l.actions],
          lines.map((line) => [
            html`${line.name}${line.id === self.id ? html` <small>(${l.you})</small>` : ''}`,
            l.roles[line.role] ?? line.role,
            line.issuer ?? l.byPasskey,
            line.passkeys,
            line.sessions,
            moment(line.seenMs),
            acts(request, line, self, l),
          ]),
          w.none,
        )}<h3>${l.add}</h3>${form(
          request,
          '/people',
          html`<label>${l.name} <input name="name" required maxlength="80" autocomplete="off"></label> <label>${l.role} ${roleChoice(l, null)}</label> `,
          l.addButton,
        )}<p class="none">${l.newLink}: ${l.newLinkHelp}<br>${l.end}: ${l.endHelp}</p>`,
    );
  });

  function acts(request: FastifyRequest, line: PersonLine, self: Person, l: LoginWords): Html {
    if (line.endedMs !== null) return html`<span class="none">${l.ended} ${moment(line.endedMs)}</span>`;
    if (line.id === self.id) return html``;
    const at = `/people/${line.id}`;
    const end = form(request, `${at}/end`, html``, l.end);
    if (line.issuer !== null) return html`<div class="acts">${end}</div>`;
    return html`<div class="acts">${form(request, `${at}/role`, roleChoice(l, line.role), l.change)}${form(request, `${at}/link`, html``, l.newLink)}${end}</div>`;
  }

  app.post('/people', FORM, async (request, reply) => {
    const { name, role } = parsed(Added, request.body, 'body');
    return showLink(request, reply, name, await added(request, name, role));
  });

  app.post('/v1/people', FORM, async (request, reply) => {
    const { name, role } = parsed(AddedByCommand, request.body, 'body');
    return reply.send({ link: linkOf(request, await added(request, name, role)) });
  });

  /** The token of the new person's link. */
  const added = (request: FastifyRequest, name: string, role: Role): Promise<string> =>
    db.transaction(async (q) => {
      const id = await addPerson(q, name, role);
      await note(q, whoOf(request)!, 'person-added', `${id} ${name}, ${role}`);
      return await makeLink(q, id);
    });

  /** Does it with somebody who is there and is not who asks; says why not. */
  async function withOther<T>(
    request: FastifyRequest,
    isForProviders: boolean,
    work: (q: Queryable, line: PersonLine) => Promise<T>,
  ): Promise<{ readonly done: T } | { readonly why: Refusal; readonly status: number }> {
    const { person } = parsed(PersonPath, request.params, 'path');
    return await db.transaction(async (q) => {
      await q.query('SELECT 1 FROM people WHERE person_id = $1 FOR UPDATE', [person]);
      const [line] = await personLines(q, person);
      if (line === undefined || line.endedMs !== null) return { why: 'not-there', status: 404 };
      if (line.id === personOf(request)!.id) return { why: 'own', status: 409 };
      if (line.issuer !== null && !isForProviders) return { why: 'of-provider', status: 409 };
      return { done: await work(q, line) };
    });
  }

  app.post('/people/:person/role', FORM, async (request, reply) => {
    const { role } = parsed(NewRole, request.body, 'body');
    const answer = await withOther(request, false, async (q, line) => {
      await changeRole(q, line.id, role);
      await note(q, whoOf(request)!, 'role-changed', `${line.id} ${line.name}: ${line.role} → ${role}`);
    });
    return 'done' in answer ? reply.redirect('/people', 303) : no(request, reply, answer.why, answer.status);
  });

  app.post('/people/:person/link', FORM, async (request, reply) => {
    parsed(Bare, request.body, 'body');
    const answer = await withOther(request, false, async (q, { id, name }) => {
      await endProofs(q, id);
      await note(q, whoOf(request)!, 'link-made', `${id} ${name}`);
      return { name, link: await makeLink(q, id) };
    });
    return 'done' in answer
      ? showLink(request, reply, answer.done.name, answer.done.link)
      : no(request, reply, answer.why, answer.status);
  });

  app.post('/people/:person/end', FORM, async (request, reply) => {
    parsed(Bare, request.body, 'body');
    const answer = await withOther(request, true, async (q, line) => {
      await endPerson(q, line.id);
      await note(q, whoOf(request)!, 'person-ended', `${line.id} ${line.name}`);
    });
    return 'done' in answer ? reply.redirect('/people', 303) : no(request, reply, answer.why, answer.status);
  });

  // ---- one's own account ----

  app.get('/account', async (request, reply) => {
    const self = personOf(request)!;
    const [passkeys, sessions, [line]] = await Promise.all([
      passkeysOf(db, self.id),
      sessionsOf(db, self.id),
      personLines(db, self.id),
    ]);
    return sendPage(
      request,
      reply,
      (
        w,
        _lang,
        l,
      ) => html`<h2>${l.account}</h2><p>${self.name} · ${l.roles[self.role]} · ${l.knownBy} ${line!.issuer ?? l.byPasskey}</p>
<h3>${l.sessions}</h3>${table(
        [l.opened, l.used, l.from, l.actions],
        sessions.map((each) => [
          moment(each.openedMs),
          moment(each.seenMs),
          each.from,
          each.session === self.session
            ? html`<em>${l.thisSession}</em>`
            : form(
                request,
                '/account/sessions/end',
                html`<input type="hidden" name="session" value="${each.session}">`,
                l.endSession,
              ),
        ]),
        w.none,
      )}<h3>${l.passkeys}</h3>${table(
        [l.passkeys, l.since, l.used],
        passkeys.map((each) => [shortOf(each.credential), moment(each.madeMs), moment(each.usedMs)]),
        w.none,
      )}${line!.issuer === null ? html`${form(request, '/account/link', html``, l.furtherPasskey)}<p class="none">${l.furtherHelp}</p>` : ''}`,
    );
  });

  app.post('/account/link', FORM, async (request, reply) => {
    parsed(Bare, request.body, 'body');
    const self = personOf(request)!;
    const link = await db.transaction(async (q): Promise<string | null> => {
      const [line] = await personLines(q, self.id);
      if (line!.issuer !== null) return null;
      await note(q, whoOf(request)!, 'link-made', `${self.id} ${self.name}`);
      return await makeLink(q, self.id);
    });
    return link === null ? no(request, reply, 'of-provider', 409) : showLink(request, reply, self.name, link);
  });

  app.post('/account/sessions/end', FORM, async (request, reply) => {
    const { session } = parsed(Ended, request.body, 'body');
    const isEnded = await db.transaction(async (q) => {
      if (!(await endSession(q, personOf(request)!.id, session))) return false;
      await note(q, whoOf(request)!, 'session-ended', shortOf(session));
      return true;
    });
    return isEnded ? reply.redirect('/account', 303) : no(request, reply, 'not-there', 404);
  });

  app.post('/log-out', FORM, async (request, reply) => {
    parsed(Bare, request.body, 'body');
    const { id, session } = personOf(request)!;
    await db.transaction(async (q) => {
      await endSession(q, id, session);
      await note(q, whoOf(request)!, 'log-out');
    });
    setCookie(address, request, reply, { cookie: SESSION, value: '' });
    return reply.redirect('/log-in', 303);
  });

  // ---- the audit ----

  app.get('/audit', async (request, reply) => {
    const { before = null, person = null } = parsed(AuditQuery, request.query, 'query');
    const lines = await auditLines(db, before, person);
    const oldest = lines.length === AUDIT_LINES ? lines.at(-1)!.no : null;
    const of = person === null ? '' : `&person=${person}`;
    return sendPage(
      request,
      reply,
      (w, _lang, l) =>
        html`<h2>${l.audit}</h2><p class="none">${l.auditHelp}</p>${
          person === null ? '' : html`<p><a href="/audit">${l.everybody}</a></p>`
        }${table(
          [w.number, w.time, l.person, l.role, l.act, l.about, l.from],
          lines.map((line) => [
            line.no,
            moment(line.atMs),
            line.person === null ? line.who : html`<a href="/audit?person=${line.person}">${line.who}</a>`,
            nameOfRole(line.role, line.who, l),
            ACTS.find((act) => act === line.act) === undefined
              ? line.act
              : l.acts[line.act as keyof typeof l.acts],
            html`<code>${line.about}</code>`,
            line.from,
          ]),
          w.none,
        )}${oldest === null ? '' : html`<p><a href="/audit?before=${oldest}${of}">${w.older}</a></p>`}`,
    );
  });
}

/** A program's own name says what it is; a role may be one of a newer program. */
function nameOfRole(role: string, who: string, l: LoginWords): string {
  const program = PROGRAMS.find((each) => role === 'program' && each === who);
  return program === undefined ? (l.roles[role as Role] ?? role) : l.programs[program];
}
