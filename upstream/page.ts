/** The frame of the operator's pages, and a refusal as a page or as JSON. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { personOf } from './caller.ts';
import { type Html, html } from './html.ts';
import { Malformed } from './input.ts';
import { type Language, LOGIN_WORDS, type LoginWords, type Refusal } from './login-words.ts';
import { type Words, wordsFor } from './operator-words.ts';
import type { Request } from './rights.ts';

export const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // With `no-referrer` a browser does not say with a form which page it comes from.
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Of the two pages that ask the browser for a passkey. */
const WITH_SCRIPT = {
  ...HEADERS,
  'content-security-policy': `${HEADERS['content-security-policy']}; script-src 'self'; connect-src 'self'`,
};

/** Pages that a person finds from everywhere, where their role may see them. */
const NAVIGATION: readonly {
  readonly request: Request;
  readonly path: string;
  readonly name: (w: Words, l: LoginWords) => string;
}[] = [
  { request: 'GET /', path: '/', name: (w) => w.terminals },
  { request: 'GET /floor', path: '/floor', name: (w) => w.floor },
  { request: 'GET /days', path: '/days', name: (w) => w.days },
  { request: 'GET /seconds', path: '/seconds', name: (w) => w.seconds },
  { request: 'GET /forks', path: '/forks', name: (w) => w.forks },
  { request: 'GET /people', path: '/people', name: (_, l) => l.people },
  { request: 'GET /audit', path: '/audit', name: (_, l) => l.audit },
];

/** The hidden member without which no form of this session is taken. */
export const formToken = (request: FastifyRequest): Html =>
  html`<input type="hidden" name="token" value="${personOf(request)?.formToken ?? ''}">`;

function navigation(request: FastifyRequest, w: Words, l: LoginWords): Html {
  const person = personOf(request);
  if (person === null) return html``;
  const path = request.url.split('?')[0];
  const links = NAVIGATION.filter((each) => person.may(each.request)).map(({ path: to, name }) =>
    to === path
      ? html`<a href="${to}" aria-current="page">${name(w, l)}</a>`
      : html`<a href="${to}">${name(w, l)}</a>`,
  );
  return html`<nav>${links}<span class="who"><a href="/account">${person.name} (${l.roles[person.role]})</a>
<form method="post" action="/log-out">${formToken(request)}<button>${l.logOut}</button></form></span></nav>`;
}

export type Body = (w: Words, lang: Language, l: LoginWords) => Html;

export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  script: '/passkey.mjs' | null = null,
): FastifyReply {
  const { lang, words } = wordsFor(request.headers['accept-language']);
  const more = LOGIN_WORDS[lang];
  const module = script === null ? '' : html`<script type="module" src="${script}"></script>`;
  const page = html`<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${words.title}</title><link rel="stylesheet" href="/letters/index.css"><link rel="stylesheet" href="/style.css">${module}</head><body>
<header><h1>${words.title}</h1>${navigation(request, words, more)}</header>
<main>${body(words, lang, more)}</main></body></html>`;
  return reply
    .headers(script === null ? HEADERS : WITH_SCRIPT)
    .type('text/html; charset=utf-8')
    .send(page.text);
}

export const sentenceOf = (request: FastifyRequest, why: Refusal): string =>
  LOGIN_WORDS[wordsFor(request.headers['accept-language']).lang].refusals[why];

/** Whether a browser asks for a page, as against a program that asks for JSON. */
export const wantsPage = ({ headers, url }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') === true && !url.startsWith('/v1/');

/** Says why in a sentence of the browser's language. `detail`: what a person may need besides. */
export function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    status,
    code,
    detail = '',
  }: { readonly status: number; readonly code: Refusal; readonly detail?: string },
): FastifyReply {
  const message = sentenceOf(request, code);
  reply.code(status).headers(HEADERS);
  return wantsPage(request)
    ? sendPage(
        request,
        reply,
        () =>
          html`<p role="alert" class="bad">${message}</p>${detail === '' ? '' : html`<p><code>${detail}</code></p>`}`,
      )
    : reply.send({ code, message, ...(detail === '' ? {} : { detail }) });
}

/** A fault of a request as a sentence; programs are answered by who stands behind this. */
export function sayWhy(
  error: Error & { readonly statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (request.url.startsWith('/v1/')) throw error;
  const status = error instanceof Malformed ? 400 : (error.statusCode ?? 500);
  if (status >= 500) request.log.error(error);
  const code: Refusal =
    status >= 500 ? 'failed' : status === 413 ? 'too-large' : status === 429 ? 'too-many' : 'malformed';
  const detail = error instanceof Malformed ? `${error.place}: ${error.message}` : '';
  return refuse(request, reply, { status, code, detail });
}
