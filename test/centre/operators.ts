/** The operators of a test's centre: its programs, and people with passkeys of their own. */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { basicOf, readPassword } from '../../upstream/password.store.ts';
import type { Role } from '../../upstream/rights.ts';
import { Authenticator, type Said } from './authenticator.ts';

export const PASSWORD = 'the-operators-of-the-tests';
export const PEOPLE_PASSWORD = 'who-adds-people-in-the-tests';

/** Headers of a program's request. */
export const loggedIn = (password = PASSWORD): { authorization: string } => ({
  authorization: basicOf(password),
});

/** The same, with the password in a centre's own file. */
export const loggedInWith = (file: string): { authorization: string } => loggedIn(readPassword(file));

/** The password of the command that adds people, beside the one of programs. */
export const peoplePasswordBeside = (file: string): string =>
  readPassword(join(dirname(file), 'people-password'));

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A person of the centre, as their browser talks to it. */
export class Operator {
  readonly authenticator = new Authenticator();
  /** Where the centre is asked, and what it calls itself. */
  readonly url: string;
  readonly origin: string;
  cookie = '';
  #token = '';

  constructor(url: string, origin = `http://localhost:${new URL(url).port}`) {
    this.url = url;
    this.origin = origin;
  }

  /** For a browser's own jar. */
  get cookies(): { name: string; value: string; url: string }[] {
    const [name, value] = this.cookie.split('=') as [string, string];
    return [{ name, value, url: this.url }];
  }

  /** `cookie` and the page it comes from, as a browser sends them. */
  get headers(): { readonly cookie: string; readonly origin: string } {
    return { cookie: this.cookie, origin: this.origin };
  }

  async ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(this.url + path, {
      redirect: 'manual',
      ...init,
      headers: { accept: 'text/html', ...this.headers, ...(init.headers as Record<string, string>) },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  async json(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return await this.ask(path, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** A form of a page of this session. */
  async form(path: string, fields: Record<string, string> = {}, headers = {}): Promise<Answer> {
    return await this.ask(path, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ token: this.#token, ...fields }),
    });
  }

  /** What the page says to the authenticator. */
  said(options: { challenge: string; rpId?: string; rp?: { id: string } }): Said {
    return {
      origin: this.origin,
      challenge: options.challenge,
      rpId: options.rpId ?? options.rp?.id ?? '',
    };
  }

  /** Uses a link, `…/enrol#TOKEN`. */
  async enrol(link: string): Promise<Answer> {
    const token = new URL(link).hash.slice(1);
    const asked = await this.json('/enrol/challenge', { link: token });
    if (asked.status !== 200) return asked;
    const { options } = JSON.parse(asked.text) as { options: { challenge: string; rp: { id: string } } };
    return await this.json('/enrol/passkey', {
      link: token,
      passkey: this.authenticator.create(this.said(options)),
    });
  }

  /** What a log-in is asked with, fresh. */
  async challenge(): Promise<Said> {
    const asked = await this.json('/log-in/challenge', {});
    assert.equal(asked.status, 200, asked.text);
    return this.said(JSON.parse(asked.text) as { challenge: string; rpId: string });
  }

  async logIn(passkey?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.json(
      '/log-in/passkey',
      passkey ?? this.authenticator.get(await this.challenge()),
      headers,
    );
    if (answer.status !== 200) return answer;
    this.cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
    const { text } = await this.ask('/account');
    this.#token = /name="token" value="([^"]+)"/.exec(text)![1]!;
    return answer;
  }

  get formToken(): string {
    return this.#token;
  }
}

/** Adds a person as the command does, and gives the link. */
export async function addPerson(url: string, password: string, name: string, role: Role): Promise<string> {
  const answer = await fetch(`${url}/v1/people`, {
    method: 'POST',
    headers: { authorization: basicOf(password, 'people'), 'content-type': 'application/json' },
    body: JSON.stringify({ name, role }),
  });
  const said = await answer.text();
  assert.equal(answer.status, 200, said);
  return (JSON.parse(said) as { link: string }).link;
}

/** A person of this role with a passkey, logged in. */
export async function operatorAt(url: string, password: string, role: Role): Promise<Operator> {
  const operator = new Operator(url);
  const made = await operator.enrol(await addPerson(url, password, `of the tests, ${role}`, role));
  assert.equal(made.status, 200, made.text);
  const answer = await operator.logIn();
  assert.equal(answer.status, 200, answer.text);
  return operator;
}
