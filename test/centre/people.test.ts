/**
 * People of the centre, at the centre as it is started, on the same database as a second instance:
 * who gets in, by a passkey or by the log-in of the house, who does not, and what is noted of it.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import Provider from 'oidc-provider';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { loadOrCreateKey } from '../../ledger/store/ledger.store.ts';
import { type Db, openPostgres } from '../../upstream/db.store.ts';
import { LOGIN_WORDS, type LoginWords, type Refusal } from '../../upstream/login-words.ts';
import { RIGHTS, ROLES, type Role } from '../../upstream/rights.ts';
import { launchChromium, noChromium, PATIENCE_MS } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { addPerson, Operator, operatorAt, peoplePasswordBeside } from './operators.ts';
import { startPostgres } from './postgres.ts';

const LANGUAGES = ['en', 'pt', 'zh-Hant'] as const;
const UPSTREAM = join(import.meta.dirname, '../../upstream');
const run = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), 'banca-people-'));
const enrolDir = join(root, 'enrol');
mkdirSync(enrolDir);
/** Where pictures of the pages are put, to be looked at; nowhere unless asked for. */
const PICTURES = process.env['BANCA_PICTURES'];

const started = await startPostgres();
const skip = 'skip' in started ? started.skip : false;

describe('people of the centre', { skip }, () => {
  const databaseUrl = 'skip' in started ? '' : started.url;
  const provider: { readonly groups: Map<string, unknown>; server: Server; at: string } = {
    groups: new Map(),
    server: createServer(),
    at: '',
  };
  let db: Db;
  let centre: Awaited<ReturnType<typeof start>>;
  let peoplePassword: string;
  let admin: Operator;
  let slowBody: Promise<string>;

  /** One instance, as a house starts it. */
  async function start(data: string, ...more: string[]) {
    const child = spawn(
      process.execPath,
      [
        join(UPSTREAM, 'main.ts'),
        '--data',
        join(root, data),
        '--enrol-dir',
        enrolDir,
        '--supervised',
        ...more,
      ],
      { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, DATABASE_URL: databaseUrl } },
    );
    const [line] = (await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      once(child, 'exit').then(([code]) => assert.fail(`the centre ended with ${code}`)),
    ])) as [string];
    const said = JSON.parse(line) as Record<'url' | 'operatorPassword' | 'peoplePassword', string>;
    const stop = async (): Promise<void> => {
      if (child.exitCode !== null) return;
      child.stdin.end();
      await once(child, 'exit');
    };
    return { ...said, stop };
  }

  before(
    async () => {
      // A provider of OpenID Connect that others run, with its own pages.
      const port = await freePort();
      const own = await freePort();
      provider.at = `http://localhost:${port}`;
      const oidc = new Provider(provider.at, {
        clients: [
          {
            client_id: 'banca',
            client_secret: 'a-secret-of-the-tests-for-the-provider',
            redirect_uris: [`http://localhost:${own}/log-in/provider/back`],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        findAccount: (_ctx, id) => ({
          accountId: id,
          claims: () => ({ sub: id, name: `${id} of the house`, groups: provider.groups.get(id) }),
        }),
        claims: { openid: ['sub'], profile: ['name'], groups: ['groups'] },
        cookies: { keys: ['the tests'] },
        pkce: { required: () => true },
      });
      provider.server = oidc.listen(port, '127.0.0.1');
      await once(provider.server, 'listening');
      const secret = join(root, 'provider-secret');
      writeFileSync(secret, 'a-secret-of-the-tests-for-the-provider', { mode: 0o600 });
      const file = join(root, 'provider.json');
      writeFileSync(
        file,
        JSON.stringify({
          name: 'Casa',
          issuer: provider.at,
          clientId: 'banca',
          clientSecretFile: secret,
          scope: 'openid profile groups',
          roles: [
            { value: 'auditors', role: 'auditor' },
            { value: 'pit', role: 'floor' },
          ],
        }),
      );
      writeFileSync(join(enrolDir, 'table-7.pub'), loadOrCreateKey(join(root, 'table-7')).publicPem);
      const key = await run(process.execPath, [
        join(UPSTREAM, 'command.ts'),
        '--key',
        join(root, 'command-key.pem'),
        '--make-key',
      ]);
      const { commandKey } = JSON.parse(key.stdout) as { commandKey: string };
      centre = await start('a', '--port', String(own), '--provider', file, '--command-key', commandKey);
      await fetch(`${centre.url}/v1/terminals/table-7`);
      peoplePassword = peoplePasswordBeside(centre.operatorPassword);
      db = await openPostgres(databaseUrl);
      slowBody = bodyThatStops();
    },
    { timeout: 300_000 },
  );
  after(async () => {
    await db?.close();
    await centre?.stop();
    provider.server.close();
    provider.server.closeAllConnections();
    if (!('skip' in started)) await started.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /** A body of a log-in that never ends: what the centre says to it. */
  const bodyThatStops = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(centre.url).port), '127.0.0.1');
      let said = '';
      socket.on('data', (bytes: Buffer) => {
        said += String(bytes);
      });
      socket.on('close', () => resolve(said));
      socket.on('error', () => undefined);
      const head = `POST /log-in/passkey HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost:${new URL(centre.url).port}`;
      socket.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{`);
    });

  /** Newest first: who, act, what. */
  const audit = async (most = 1): Promise<string[]> =>
    (
      await db.query<{ line: string }>(
        "SELECT who || ' | ' || act || ' | ' || about AS line FROM audit ORDER BY no DESC LIMIT $1",
        [most],
      )
    ).map(({ line }) => line);

  const count = async (sql: string, ...params: unknown[]): Promise<number> =>
    (await db.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`, params))[0]!.n;

  /** The same request in every language is refused with that language's sentence. */
  async function refusedIn(
    code: Refusal,
    status: number,
    ask: (headers: Record<string, string>) => Promise<{ status: number; text: string }>,
  ): Promise<void> {
    for (const language of LANGUAGES) {
      const answer = await ask({ 'accept-language': language });
      const sentence = LOGIN_WORDS[language].refusals[code];
      assert.equal(answer.status, status, answer.text);
      assert.ok(answer.text.includes(sentence), `${language} ${code}: ${answer.text}`);
    }
  }

  describe('in a browser', { skip: noChromium }, () => {
    const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    let browser: Browser;
    before(async () => {
      browser = await launchChromium();
    });
    after(() => browser.close());
    const at = (path: string): string => `http://localhost:${new URL(centre.url).port}${path}`;

    async function open(locale = 'en'): Promise<{ context: BrowserContext; page: Page; cdp: CDPSession }> {
      const context = await browser.newContext({ locale, viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const cdp = await context.newCDPSession(page);
      return { context, page, cdp };
    }

    async function authenticator(cdp: CDPSession): Promise<string> {
      await cdp.send('WebAuthn.enable');
      const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      return authenticatorId;
    }

    /** Violations of WCAG 2.2 AA; and a picture of what was looked at. */
    async function look(page: Page, name: string): Promise<string[]> {
      if (PICTURES !== undefined) {
        mkdirSync(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
      }
      // The page's own policy lets no other script in; a debugger may.
      await page.evaluate(AXE);
      return await page.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: {
            run(
              on: unknown,
              how: object,
            ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
          };
        };
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
        const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: tags } });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
    }

    /** Presses Tab until this is where one is. */
    async function tabTo(page: Page, selector: string): Promise<void> {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((of) => document.activeElement?.matches(of) === true, selector)) return;
      }
      assert.fail(`no way to ${selector} by keyboard`);
    }

    it('the first person comes by the command’s link, makes a passkey and logs in, by the keyboard alone', async () => {
      const { page, cdp, context } = await open();
      const id = await authenticator(cdp);
      const { stdout } = await run(process.execPath, [
        join(UPSTREAM, 'person.ts'),
        ...['--centre', centre.url, '--password', centre.peoplePassword],
        ...['--name', 'Ana Rocha', '--role', 'administrator'],
      ]);
      const { link } = JSON.parse(stdout) as { link: string };
      await page.goto(link);
      await page.locator('#name', { hasText: 'Ana Rocha' }).waitFor();
      assert.deepEqual(await look(page, 'enrol-en'), []);
      await tabTo(page, 'button[data-does="enrol"]');
      await page.keyboard.press('Enter');
      await page.getByText(LOGIN_WORDS.en.made).waitFor();
      const sent = page.waitForRequest((sent) => sent.url().endsWith('/log-in/passkey'));
      await tabTo(page, 'button[data-does="log-in"]');
      await page.keyboard.press('Enter');
      const body = (await sent).postDataJSON() as object;
      await page.getByRole('link', { name: 'Ana Rocha (administrator)' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/');

      // Somebody who has read along sends the same once more.
      const thief = new Operator(centre.url);
      await refusedIn('challenge-over', 401, (headers) => thief.json('/log-in/passkey', body, headers));
      // The link is used up.
      await refusedIn('link-over', 401, (headers) =>
        thief.json('/enrol/challenge', { link: new URL(link).hash.slice(1) }, headers),
      );

      // Adds a person, as a person does.
      await tabTo(page, 'nav a[href="/people"]');
      await page.keyboard.press('Enter');
      await page.locator('form[action="/people"] input[name="name"]').waitFor();
      await tabTo(page, 'form[action="/people"] input[name="name"]');
      await page.keyboard.type('Lei Ka Man');
      await tabTo(page, 'form[action="/people"] select');
      await page.keyboard.press('a');
      await tabTo(page, 'form[action="/people"] button');
      await page.keyboard.press('Enter');
      assert.match(
        await page.locator('input.link').inputValue(),
        /^http:\/\/localhost:\d+\/enrol#[\w-]{43}$/,
      );
      assert.deepEqual(await look(page, 'link-en'), []);
      assert.deepEqual((await audit(1))[0], 'Ana Rocha | person-added | 2 Lei Ka Man, auditor');

      // Somebody has a copy of the key: its counter is behind.
      await tabTo(page, 'form[action="/log-out"] button');
      await page.keyboard.press('Enter');
      await page.locator('button[data-does="log-in"]').waitFor();
      assert.deepEqual(await context.cookies(), [], 'the session is gone from the browser');
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });
      const [credential] = credentials;
      await cdp.send('WebAuthn.removeCredential', {
        authenticatorId: id,
        credentialId: credential!.credentialId,
      });
      await cdp.send('WebAuthn.addCredential', {
        authenticatorId: id,
        credential: { ...credential!, signCount: 0 },
      });
      await page.locator('button[data-does="log-in"]').click();
      await page.getByText(LOGIN_WORDS.en.refusals['passkey-cloned']).waitFor();
      assert.deepEqual(await audit(2), [
        'Ana Rocha | log-in-refused | passkey-cloned',
        'Ana Rocha | passkey-cloned | ',
      ]);
      await page.locator('button[data-does="log-in"]').click();
      await page.getByText(LOGIN_WORDS.en.refusals['unknown-passkey']).waitFor();
      await context.close();
    });

    it('before anybody has logged in the letters are the centre’s own, in every language', async () => {
      for (const [language, locale] of [
        ['zh-Hant', 'zh-HK'],
        ['pt', 'pt-PT'],
      ] as const) {
        const { page, context } = await open(locale);
        const missed: string[] = [];
        page.on('response', (answer) => {
          if (!answer.ok() && answer.url().includes('letters')) missed.push(answer.url());
        });
        await page.goto(at('/log-in'));
        await page.getByRole('heading', { name: LOGIN_WORDS[language].logIn }).waitFor();
        // A name in Chinese stands on a page in Portuguese, too.
        await page.evaluate(() => document.querySelector('main')!.append('李家文'));
        // The slices come after the page.
        const lacking = () =>
          page.evaluate(() => {
            const ranges = [...document.fonts]
              .filter(({ status }) => status === 'loaded')
              .flatMap(({ unicodeRange }) => unicodeRange.split(','))
              .map((range) => range.trim().slice(2).split('-'))
              .map(([first, last = first]) => [Number.parseInt(first!, 16), Number.parseInt(last!, 16)]);
            return [...new Set(document.body.innerText)]
              .filter((letter) => /\p{Script=Han}/u.test(letter))
              .filter((letter) => {
                const code = letter.codePointAt(0)!;
                return !ranges.some(([first, last]) => code >= first! && code <= last!);
              })
              .join('');
          });
        await until('every Chinese letter of the centre’s own', async () => (await lacking()) === '');
        assert.deepEqual(missed, []);
        await context.close();
      }
      for (const path of ['/letters/files/..%2findex.css', '/letters/files/none.woff2'])
        assert.equal((await fetch(at(path))).status, 404, path);
    });

    it('every page speaks three languages, and axe finds nothing', async () => {
      admin = await operatorAt(centre.url, peoplePassword, 'administrator');
      const auditor = await operatorAt(centre.url, peoplePassword, 'auditor');
      const floor = await operatorAt(centre.url, peoplePassword, 'floor');
      const pages: readonly [string, string, Operator | null, (l: LoginWords) => string][] = [
        ['/log-in', 'log-in', null, (l) => l.withPasskey],
        ['/people', 'people', admin, (l) => l.newLinkHelp],
        ['/account', 'account', admin, (l) => l.furtherHelp],
        ['/audit', 'audit', auditor, (l) => l.auditHelp],
        ['/people', 'no-right', auditor, (l) => l.refusals['no-right']],
        ['/terminals/table-7/order', 'order', floor, (l) => l.orderHelp],
      ];
      // What axe looks at is not the words; all languages are looked at where pictures are wanted.
      for (const language of PICTURES === undefined ? (['pt'] as const) : LANGUAGES) {
        const { page, context } = await open(language);
        for (const [path, name, who] of pages) {
          await context.clearCookies();
          const [cookie, value] = (who?.cookie ?? '').split('=');
          if (value !== undefined) await context.addCookies([{ name: cookie!, value, url: at('/') }]);
          await page.goto(at(path));
          assert.deepEqual(await look(page, `${name}-${language}`), [], name);
        }
        await context.close();
      }
      for (const language of LANGUAGES)
        for (const [path, name, who, words] of pages) {
          const headers = { 'accept-language': language, host: new URL(at('/')).host };
          const { text } = await (who ?? new Operator(at('').replace(/\/$/, ''))).ask(path, { headers });
          assert.ok(text.includes(words(LOGIN_WORDS[language])), `${language} ${name}`);
          assert.ok(text.includes(`<html lang="${language}">`), `${language} ${name}`);
        }
    });

    /** Through the provider's own pages. */
    async function byHouse(page: Page, login: string): Promise<void> {
      await page.route('https://fonts.googleapis.com/**', (route) => route.abort());
      await page.goto(at('/log-in'));
      await page.getByRole('link', { name: 'Log in with Casa' }).click();
      await page.locator('input[name="login"]').fill(login);
      await page.locator('input[name="password"]').fill('any');
      await page.locator('button[type="submit"]').click();
      await page.getByRole('button', { name: 'Continue' }).click();
    }

    it('the log-in of the house lets in whom it gives a role, with that role, each time anew', async () => {
      provider.groups.set('maria', ['others', 'pit']);
      const first = await open();
      const back = first.page.waitForRequest((sent) => sent.url().includes('/log-in/provider/back'));
      await byHouse(first.page, 'maria');
      await first.page.getByRole('link', { name: 'maria of the house (floor)' }).waitFor();
      assert.equal(new URL(first.page.url()).pathname, '/');
      // Those of the provider's own port are there too: cookies know no ports.
      const ours = (await first.context.cookies(at('/'))).filter(({ name }) => name.startsWith('banca'));
      const [cookie, ...more] = ours;
      assert.deepEqual(
        [cookie!.httpOnly, cookie!.sameSite, cookie!.name, more.length],
        [true, 'Strict', `banca-${new URL(centre.url).port}`, 0],
      );
      await first.page.goto(at('/people'));
      await first.page.getByText(LOGIN_WORDS.en.refusals['no-right']).waitFor();

      // The way back, taken once more, or by somebody else's browser.
      const used = (await back).url();
      const answer = await first.page.goto(used);
      assert.equal(answer!.status(), 401);
      await first.page.getByText(LOGIN_WORDS.en.refusals['challenge-over']).waitFor();
      await first.context.close();

      provider.groups.set('maria', 'auditors');
      const second = await open();
      await byHouse(second.page, 'maria');
      await second.page.getByRole('link', { name: 'maria of the house (auditor)' }).waitFor();
      assert.ok((await audit(3)).includes('maria of the house | role-changed | floor → auditor'));
      await second.context.close();
      assert.equal(await count("people WHERE subject = 'maria'"), 1);
    });

    it('the log-in of the house lets in nobody without a role, or whom the administrator has ended', async () => {
      const { page, context } = await open();
      await byHouse(page, 'visitor');
      await page.getByText(LOGIN_WORDS.en.refusals['no-role']).waitFor();
      assert.equal((await audit())[0], 'visitor of the house | log-in-refused | no-role');
      await context.close();
      const [maria] = await db.query<{ id: number }>(
        "SELECT person_id::int AS id FROM people WHERE subject = 'maria'",
      );
      const role = await admin.form(`/people/${maria!.id}/role`, { role: 'administrator' });
      assert.equal(role.status, 409);
      assert.match(role.text, /role and log-in come from the log-in of the house/);
      assert.equal((await admin.form(`/people/${maria!.id}/end`)).status, 303);
      const again = await open();
      await byHouse(again.page, 'maria');
      await again.page.getByText(LOGIN_WORDS.en.refusals.ended).waitFor();
      await again.context.close();
    });
  });

  it('a passkey is taken from its own page, for its own purpose, with the finger on it, and once', async () => {
    admin ??= await operatorAt(centre.url, peoplePassword, 'administrator');
    const link = await addPerson(centre.url, peoplePassword, 'Chan Wai', 'viewer');
    const chan = new Operator(centre.url);
    assert.equal((await chan.enrol(link)).status, 200);
    const { authenticator } = chan;
    const shown = await chan.challenge();
    const evil = { ...shown, origin: 'http://localhost:1' };
    await refusedIn('passkey-refused', 401, (headers) => chan.logIn(authenticator.get(evil), headers));
    const refused: readonly [string, object, Refusal][] = [
      ['another name', authenticator.get({ ...shown, rpId: 'evil.example' }), 'passkey-refused'],
      ['nobody’s finger', authenticator.get(shown, { flags: 0x01 }), 'passkey-refused'],
      ['a made-up challenge', authenticator.get({ ...shown, challenge: 'x'.repeat(54) }), 'challenge-over'],
    ];
    for (const [name, passkey, code] of refused) {
      const answer = await chan.logIn(passkey);
      assert.deepEqual(
        [answer.status, (JSON.parse(answer.text) as { code: string }).code],
        [401, code],
        name,
      );
    }
    const good = authenticator.get(shown);
    assert.equal((await chan.logIn(good)).status, 200);
    await refusedIn('challenge-over', 401, (headers) => chan.logIn(good, headers));
    assert.equal((await new Operator(centre.url).enrol(link)).status, 401);

    // Ten refusals of an account in a quarter of an hour are enough; nobody else waits.
    for (let more = 0; more < 3; more += 1) await chan.logIn(good);
    const right = authenticator.get(await chan.challenge());
    await refusedIn('too-many', 429, (headers) => chan.logIn(right, headers));
    assert.equal((await admin.logIn()).status, 200);
  });

  it('a copied passkey ends at its first use, and a new link brings its person back', async () => {
    for (const language of LANGUAGES) {
      const copied = await operatorAt(centre.url, peoplePassword, 'viewer');
      const last = copied.authenticator.get(await copied.challenge(), { counter: 1 });
      const answer = await copied.logIn(last, { 'accept-language': language });
      assert.equal(answer.status, 401);
      assert.ok(answer.text.includes(LOGIN_WORDS[language].refusals['passkey-cloned']), answer.text);
      await refusedIn('unknown-passkey', 401, async (headers) =>
        copied.logIn(copied.authenticator.get(await copied.challenge()), headers),
      );
    }
    const [{ id } = { id: 0 }] = await db.query<{ id: number }>(
      'SELECT max(person_id)::int AS id FROM people',
    );
    const page = await admin.form(`/people/${id}/link`);
    const link = /value="(http:[^"]+#[\w-]{43})"/.exec(page.text)![1]!;
    const again = new Operator(centre.url);
    assert.equal((await again.enrol(link)).status, 200);
    assert.equal((await again.logIn()).status, 200);
    assert.match((await audit(4)).join('\n'), /link-made/);
  });

  it('every request has its roles, and says so to others before it does anything', async () => {
    const path = (of: string): string =>
      of.replace(':id', 'table-7').replace(':round', 'r-1').replace(':person', '1');
    for (const role of ROLES) {
      const one = await operatorAt(centre.url, peoplePassword, role);
      for (const [row, { roles }] of Object.entries(RIGHTS)) {
        const [method, url] = row.split(' ') as [string, string];
        if ((roles as readonly Role[]).includes(role)) continue;
        const answer = await one.ask(path(url), method === 'GET' ? {} : { method, body: 'x' });
        assert.equal(answer.status, 403, `${role} ${row}: ${answer.text}`);
        assert.ok(answer.text.includes(LOGIN_WORDS.en.refusals['no-right']), `${role} ${row}`);
        assert.doesNotMatch(answer.text, /Ana Rocha|seq/, `${role} ${row}`);
      }
    }
    const viewer = await operatorAt(centre.url, peoplePassword, 'viewer');
    await refusedIn('no-right', 403, (headers) => viewer.ask('/audit', { headers }));
    assert.match((await audit())[0]!, /refused \| no-right GET \/audit$/);
    assert.doesNotMatch((await viewer.ask('/')).text, /href="\/(?:people|audit|forks|terminals)/);
    const nobody = new Operator(centre.url);
    for (const row of Object.keys(RIGHTS)) {
      const [method, url] = row.split(' ') as [string, string];
      const answer = await nobody.ask(path(url), method === 'GET' ? {} : { method, body: 'x' });
      assert.ok([401, 303].includes(answer.status), `${row}: ${answer.status}`);
      if (answer.status === 303) assert.match(answer.headers.get('location')!, /\/log-in$/);
    }
  });

  it('a change from another site, or from an old page, changes nothing', async () => {
    const fields = { name: 'Mallory', role: 'administrator' };
    for (const origin of ['https://evil.example', 'null', `${admin.origin}0`])
      await refusedIn('other-site', 403, (headers) => admin.form('/people', fields, { ...headers, origin }));
    const without = await fetch(`${centre.url}/people`, {
      method: 'POST',
      headers: { cookie: admin.cookie, accept: 'text/html' },
      body: new URLSearchParams({ ...fields, token: admin.formToken }),
    });
    assert.equal(without.status, 403, 'a request that does not say where it comes from');
    for (const token of ['', 'x', admin.formToken.toLowerCase()])
      await refusedIn('old-page', 403, (headers) => admin.form('/people', { ...fields, token }, headers));
    await refusedIn('other-site', 403, (headers) =>
      admin.json('/log-in/challenge', {}, { ...headers, origin: 'https://evil.example' }),
    );
    assert.equal(await count("people WHERE name = 'Mallory'"), 0);
    assert.match((await audit(20)).join('\n'), /refused \| other-site POST \/people/);
    // A browser that has been told a program's password sends it for any page.
    const password = readFileSync(centre.operatorPassword, 'utf8').trim();
    const handed = await fetch(`${centre.url}/v1/terminals/table-7/commands`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`,
        origin: 'https://evil.example',
        'content-type': 'application/json',
      },
      body: '{}',
    });
    assert.equal(handed.status, 403);
  });

  it('no change of any kind is taken from another site, or with the token of another’s session', async () => {
    const kept = ['people', 'passkeys', 'enrolment_links', 'commands', 'box_counts', 'day_closings'];
    const rows = async (): Promise<number[]> => await Promise.all(kept.map((table) => count(table)));
    const [own, other] = await Promise.all(
      [0, 1].map(
        async () =>
          new Map(
            await Promise.all(
              ROLES.map(async (role) => [role, await operatorAt(centre.url, peoplePassword, role)] as const),
            ),
          ),
      ),
    );
    const before = await rows();
    const changes = Object.entries(RIGHTS).filter(
      ([row, { roles }]) => row.startsWith('POST') && roles.length > 0,
    );
    assert.ok(changes.length >= 10);
    for (const [row, { roles }] of changes) {
      const url = row
        .slice('POST '.length)
        .replace(':id', 'table-7')
        .replace(':day', '2026-01-31')
        .replace(':entry', '1')
        .replace(':no', '1')
        .replace(':person', '1');
      const one = own!.get(roles[0]!)!;
      const fields = {
        name: 'Mallory',
        role: 'administrator',
        no: '1',
        signed: '{}',
        session: '0'.repeat(64),
      };
      const evil = await one.form(url, fields, { origin: 'https://evil.example' });
      assert.equal(evil.status, 403, row);
      assert.ok(evil.text.includes(LOGIN_WORDS.en.refusals['other-site']), `${row}: ${evil.text}`);
      const { formToken } = other!.get(roles[0]!)!;
      const foreign = await one.form(url, { ...fields, token: formToken }, { 'x-banca-token': formToken });
      assert.equal(foreign.status, 403, row);
      assert.ok(foreign.text.includes(LOGIN_WORDS.en.refusals['old-page']), `${row}: ${foreign.text}`);
    }
    assert.deepEqual(await rows(), before);
    for (const one of own!.values()) assert.equal((await one.ask('/account')).status, 200, 'still logged in');
  });

  it('names with SQL and HTML are names; unseen signs and bodies without end are refused', async () => {
    const name = `Robert'); DROP TABLE people;-- <img src=x onerror=alert(1)> "&`;
    const page = await admin.form('/people', { name, role: 'viewer' });
    assert.equal(page.status, 200);
    const escaped = name
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;');
    for (const shown of [page, await admin.ask('/people')]) {
      assert.ok(shown.text.includes(escaped));
      assert.doesNotMatch(shown.text, /<img/);
    }
    const auditor = await operatorAt(centre.url, peoplePassword, 'auditor');
    const audited = (await auditor.ask('/audit')).text;
    assert.ok(audited.includes(escaped));
    assert.doesNotMatch(audited, /<img/);
    for (const path of [`/audit?person=1%20OR%201=1`, `/audit?before=0`, `/audit?x=1`])
      await refusedIn('malformed', 400, (headers) => auditor.ask(path, { headers }));
    await refusedIn('malformed', 400, (headers) =>
      admin.form('/people', { name: 'turned \u202e round', role: 'viewer' }, headers),
    );
    await refusedIn('malformed', 400, (headers) =>
      admin.form('/people', { name: 'x', role: 'god' }, headers),
    );
    const huge = 'x'.repeat(40_000);
    await refusedIn('too-large', 413, (headers) =>
      admin.form('/people', { name: huge, role: 'viewer' }, headers),
    );
    await refusedIn('too-large', 413, (headers) => admin.json('/log-in/passkey', { id: huge }, headers));
    await refusedIn('malformed', 400, (headers) => admin.json('/log-in/passkey', { id: '{' }, headers));
    assert.match(await slowBody, /^HTTP\/1\.1 408 /, 'a body that stops is given up');
  });

  it('nobody ends another’s session, nobody changes themselves, and what is taken away is gone at once', async () => {
    const [one, other] = [
      await operatorAt(centre.url, peoplePassword, 'floor'),
      await operatorAt(centre.url, peoplePassword, 'floor'),
    ];
    const before = one.cookie;
    await one.logIn();
    assert.notEqual(one.cookie, before);
    const kept = other.cookie;
    other.cookie = '';
    await other.logIn();
    const named = /name="session" value="([0-9a-f]{64})"/.exec((await other.ask('/account')).text)![1]!;
    await refusedIn('not-there', 404, (headers) =>
      one.form('/account/sessions/end', { session: named }, headers),
    );
    const stillIn = async (cookie: string): Promise<boolean> =>
      (await fetch(`${centre.url}/account`, { headers: { cookie }, redirect: 'manual' })).status === 200;
    assert.equal(await stillIn(before), false, 'a new log-in of a browser ends its old session');
    assert.equal(await stillIn(kept), true);
    assert.equal((await other.form('/account/sessions/end', { session: named })).status, 303);
    assert.equal(await stillIn(kept), false);

    const idOf = async (whose: Operator): Promise<number> =>
      (
        await db.query<{ id: number }>('SELECT person_id::int AS id FROM passkeys WHERE credential_id = $1', [
          whose.authenticator.id,
        ])
      )[0]!.id;
    await refusedIn('own', 409, async (headers) =>
      admin.form(`/people/${await idOf(admin)}/role`, { role: 'viewer' }, headers),
    );
    await refusedIn('not-there', 404, (headers) => admin.form('/people/99999/end', {}, headers));
    /** The board as it is sent; `over` resolves when no more is sent. */
    const board = async ({ headers }: Operator): Promise<{ told(): number; over: Promise<unknown> }> => {
      const answer = await fetch(`${centre.url}/floor/stream`, { headers });
      assert.equal(answer.status, 200);
      let told = 0;
      const reader = answer.body!.getReader();
      const over = (async () => {
        while (!(await reader.read()).done) told += 1;
      })().catch(() => undefined);
      return { told: () => told, over };
    };
    const [wall, desk, lost] = [await board(one), await board(one), await board(other)];
    await until('all have heard', () => [wall, desk, lost].every(({ told }) => told() > 1));
    // Two of one session go on with a role that may look, and end with one that may not.
    assert.equal((await admin.form(`/people/${await idOf(one)}/role`, { role: 'auditor' })).status, 303);
    assert.equal((await one.ask('/audit')).status, 200, 'the new role counts at once');
    const asFloor = wall.told();
    await until('the auditor has heard', () => wall.told() > asFloor + 1);
    assert.equal(
      (await admin.form(`/people/${await idOf(one)}/role`, { role: 'administrator' })).status,
      303,
    );
    await Promise.all([wall.over, desk.over]);
    assert.equal((await admin.form(`/people/${await idOf(one)}/end`)).status, 303);
    assert.equal(await stillIn(one.cookie), false);
    assert.equal((await one.logIn()).status, 401);
    const beforeLink = lost.told();
    await until('the other has heard', () => lost.told() > beforeLink);
    assert.equal((await admin.form(`/people/${await idOf(other)}/link`)).status, 200);
    await lost.over;
    assert.equal(await stillIn(other.cookie), false, 'what is lost may be in other hands');
    assert.equal((await other.logIn()).status, 401);
  });

  it('a session ends when nobody uses it, and after half a day; another instance and a restart know it', async () => {
    const one = await operatorAt(centre.url, peoplePassword, 'viewer');
    const second = await start('b');
    const elsewhere = { cookie: one.cookie.replace(/^banca-\d+/, `banca-${new URL(second.url).port}`) };
    const status = async (): Promise<number> =>
      (await fetch(`${second.url}/account`, { headers: elsewhere, redirect: 'manual' })).status;
    assert.equal(await status(), 200);
    const move = (column: string, by: string): Promise<unknown> =>
      db.query(
        `UPDATE sessions SET ${column} = ${column} - interval '${by}' WHERE opened_at = (SELECT max(opened_at) FROM sessions)`,
      );
    await move('seen_at', '29 minutes');
    assert.equal(await status(), 200);
    await move('seen_at', '31 minutes');
    assert.equal(await status(), 401);
    await refusedIn('session-over', 401, (headers) => one.json('/account/link', {}, headers));
    const sent = await one.ask('/account');
    assert.deepEqual(
      [sent.status, sent.headers.get('location')],
      [303, `${one.origin}/log-in?why=session-over`],
    );
    await one.logIn();
    await move('opened_at', '12 hours');
    assert.equal((await one.ask('/account')).status, 303);
    await one.logIn();
    await second.stop();
    assert.equal((await one.ask('/account')).status, 200);
    const hashes = await db.query<{ hash: string }>(
      "SELECT encode(token_hash, 'base64') AS hash FROM sessions",
    );
    assert.ok(
      hashes.every(({ hash }) => !one.cookie.includes(hash)),
      'only hashes are kept',
    );
    assert.equal((await one.form('/log-out')).status, 303);
    assert.equal((await one.ask('/account')).status, 303);
  });

  it('under a name of its own its cookie is for https and that name alone, and the proxy says who asks', async () => {
    const origin = 'https://centre.casino.example';
    const behind = await start('c', '--behind-proxy', '--operator-address', origin);
    const one = new Operator(behind.url, origin);
    const link = await addPerson(behind.url, peoplePasswordBeside(behind.operatorPassword), 'Wong', 'viewer');
    assert.ok(link.startsWith(`${origin}/enrol#`));
    assert.equal((await one.enrol(link)).status, 200);
    const answer = await one.logIn(undefined, { 'x-forwarded-for': '203.0.113.9, 192.0.2.7' });
    assert.equal(answer.status, 200, answer.text);
    const [cookie] = answer.headers.getSetCookie();
    assert.match(cookie!, /^__Host-banca=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    assert.deepEqual(
      await db.query('SELECT from_where FROM audit ORDER BY no DESC LIMIT 1'),
      [{ from_where: '192.0.2.7' }],
      'what is before it anybody can write',
    );
    const status = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request(`${behind.url}/log-in`, { headers: { host } }, (told) => {
          told.resume();
          resolve(told.statusCode);
        })
          .on('error', reject)
          .end();
      });
    assert.deepEqual(
      await Promise.all(['centre.casino.example', 'localhost', 'evil.example'].map(status)),
      [200, 303, 421],
    );
    const sent = await new Operator(behind.url, origin).ask('/people');
    assert.equal(sent.headers.get('location'), `${origin}/log-in`);
    const here = new Operator(behind.url);
    await refusedIn('other-site', 403, (headers) => here.json('/log-in/challenge', {}, headers));
    await behind.stop();
  });

  it('an order is signed elsewhere, handed in by a person of the floor, and noted with both', async () => {
    const floor = await operatorAt(centre.url, peoplePassword, 'floor');
    const page = await floor.ask('/terminals/table-7/order');
    assert.match(page.text, /<strong>1<\/strong>/);
    const out = join(root, 'order.json');
    const sign = (...more: string[]) =>
      run(process.execPath, [
        join(UPSTREAM, 'command.ts'),
        ...['--key', join(root, 'command-key.pem'), '--terminal', 'table-7', '--issuer', 'M. Lei'],
        ...['--no', '1', '--order', '{"type":"lock","reason":"count"}', ...more],
      ]);
    await sign('--out', out);
    const signed = readFileSync(out, 'utf8');
    assert.ok(existsSync(out));
    const auditor = await operatorAt(centre.url, peoplePassword, 'auditor');
    assert.equal((await auditor.form('/terminals/table-7/order', { signed })).status, 403);
    await refusedIn('other-site', 403, (headers) =>
      floor.form('/terminals/table-7/order', { signed }, { ...headers, origin: 'https://evil.example' }),
    );
    const forged = signed.replace(/"signature":"../, '"signature":"00');
    await refusedIn('order-refused', 409, (headers) =>
      floor.form('/terminals/table-7/order', { signed: forged }, headers),
    );
    assert.match((await audit())[0]!, /order-refused \| table-7 forged$/);
    assert.equal(await count('commands'), 0);
    const handed = await floor.form('/terminals/table-7/order', { signed });
    assert.equal(handed.status, 200, handed.text);
    assert.match((await audit())[0]!, /^of the tests, floor \| order \| table-7 1 lock, signed by M\. Lei$/);
    await refusedIn('order-refused', 409, (headers) =>
      floor.form('/terminals/table-7/order', { signed }, headers),
    );
    assert.equal(await count('commands'), 1);
    await refusedIn('malformed', 400, (headers) =>
      floor.form('/terminals/table-7/order', { signed: '['.repeat(100) }, headers),
    );
    const asProgram = await floor.json('/v1/terminals/table-7/commands', JSON.parse(signed));
    assert.equal(asProgram.status, 403, 'without the token of its form');
    // For one table at another's page; for a table of another house; with a key of another house.
    const elsewhere = join(root, 'elsewhere.json');
    const evil = `<img src=x onerror=alert(1)>'); DROP TABLE commands;--`;
    const order = JSON.stringify({ type: 'lock', reason: evil });
    await sign('--out', elsewhere, '--no', '2', '--terminal', 'table-8', '--order', order);
    const ofOther = readFileSync(elsewhere, 'utf8');
    for (const [path, status, said] of [
      ['/terminals/table-7/order', 409, 'table-7 other-terminal'],
      ['/terminals/table-9/order', 404, 'table-9 not-enrolled'],
    ] as const) {
      await refusedIn('order-refused', status, (headers) => floor.form(path, { signed: ofOther }, headers));
      assert.match((await audit())[0]!, new RegExp(`order-refused \\| ${said}$`));
    }
    const otherKey = join(root, 'other-house.pem');
    await run(process.execPath, [join(UPSTREAM, 'command.ts'), '--key', otherKey, '--make-key']);
    const ofHouse = join(root, 'other-house.json');
    await sign('--key', otherKey, '--no', '2', '--out', ofHouse);
    await refusedIn('order-refused', 409, (headers) =>
      floor.form('/terminals/table-7/order', { signed: readFileSync(ofHouse, 'utf8') }, headers),
    );
    assert.equal(await count('commands'), 1);
    // What an order and its issuer are called is text wherever it is shown.
    const named = join(root, 'named.json');
    await sign('--no', '2', '--issuer', evil, '--order', order, '--out', named);
    assert.equal(
      (await floor.form('/terminals/table-7/order', { signed: readFileSync(named, 'utf8') })).status,
      200,
    );
    assert.equal(await count('commands'), 2);
    for (const path of ['/terminals/table-7', '/audit']) {
      const { status, text } = await auditor.ask(path);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /<img/);
    }
    assert.match((await auditor.ask('/audit')).text, /signed by &lt;img src=x/);
    // A name of a table that is none reaches no statement.
    for (const path of ["table-7';DROP", '..%2Ftable-7', '%00', 'x'.repeat(65)])
      await refusedIn('malformed', 400, (headers) => auditor.ask(`/terminals/${path}`, { headers }));
  });

  it('looks at personal data are noted before they are answered, and nobody changes the audit', async () => {
    const auditor = await operatorAt(centre.url, peoplePassword, 'auditor');
    for (const path of [
      '/terminals/table-7',
      '/terminals/table-7/rounds/%3Cb%3E',
      '/forks',
      '/audit?person=1',
    ]) {
      await auditor.ask(path);
      assert.equal((await audit())[0], `of the tests, auditor | look | ${path}`);
    }
    const [row] = await db.query<{ from_where: string; role: string }>(
      'SELECT from_where, role FROM audit ORDER BY no DESC LIMIT 1',
    );
    assert.deepEqual(row, { from_where: '127.0.0.1', role: 'auditor' });
    const lines = await count('audit');
    await auditor.ask('/');
    assert.equal(await count('audit'), lines, 'links and lags are nobody’s data');
    for (const sql of ['UPDATE audit SET who = $1', 'DELETE FROM audit WHERE who <> $1'])
      await assert.rejects(db.query(sql, ['x']), /append-only/);
    await assert.rejects(db.query('TRUNCATE audit'), /append-only/);
    assert.match((await auditor.ask('/audit')).text, /looked at<\/td><td><code>\/forks/);
    // Older lines are reached, a hundred at a time.
    await db.query(
      `INSERT INTO audit (who, role, act, about, from_where)
       SELECT 'x', 'viewer', 'look', '/old/' || n, '::1' FROM generate_series(1, 250) AS n`,
    );
    const first = await auditor.ask('/audit');
    const older = /href="(\/audit\?before=\d+)"/.exec(first.text)![1]!;
    assert.doesNotMatch(first.text, /\/old\/100</);
    assert.match((await auditor.ask(older)).text, /\/old\/100</);
  });

  it('one address has so many attempts a minute; who is logged in goes on', async () => {
    const stranger = new Operator(centre.url);
    await until('the address is turned away', async () => {
      const some = Array.from({ length: 40 }, () => stranger.json('/log-in/challenge', {}));
      return (await Promise.all(some)).some(({ status }) => status === 429);
    });
    await refusedIn('too-many', 429, (headers) => stranger.json('/log-in/challenge', {}, headers));
    assert.equal((await admin.ask('/people')).status, 200);
  });
});
