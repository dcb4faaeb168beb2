/**
 * The log-in of the house: OpenID Connect with PKCE against a provider that it has already. Who
 * somebody is and which role they have is the provider's word at each log-in.
 */
import { createHmac } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { Configuration } from 'openid-client';
import { z } from 'zod';
import { readJsonFile } from '../ledger/chain/bounded-file.store.ts';
import { isPlain } from '../ledger/chain/plain-line.ts';
import { readPassword } from './password.store.ts';
import type { Claimed } from './people.store.ts';
import { ROLES, type Role } from './rights.ts';

const short = z.string().min(1).max(200).refine(isPlain, 'has characters that cannot be seen');
const Settings = z.strictObject({
  /** What the button on the log-in page calls it. */
  name: short,
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: short,
  /** Absent: a public client, which PKCE alone protects. */
  clientSecretFile: z.string().min(1).optional(),
  scope: short.default('openid profile'),
  /** The claim that roles are made of: one text, or a list of them. */
  claim: short.default('groups'),
  /** The first that fits says the role. */
  roles: z
    .array(z.strictObject({ value: short, role: z.enum(ROLES) }))
    .min(1)
    .max(100),
});

const isHere = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));

/** Throws with a sentence where the file cannot be used. */
export function readProvider(path: string): Provider {
  const read = Settings.safeParse(readJsonFile(path));
  if (!read.success) throw new Error(`${path}: ${z.prettifyError(read.error).replaceAll('\n', ' ')}`);
  const { issuer, clientSecretFile } = read.data;
  const at = new URL(issuer);
  if (at.protocol === 'http:' && !isHere(at.hostname))
    throw new Error(`${path}: issuer ${issuer}: across a network a provider is asked over https`);
  const secret = clientSecretFile === undefined ? null : readPassword(clientSecretFile);
  return createProvider(read.data, secret);
}

export type ProviderAnswer =
  | { readonly outcome: 'known'; readonly claimed: Claimed }
  | { readonly outcome: 'no-role'; readonly name: string }
  | { readonly outcome: 'provider-refused' }
  | { readonly outcome: 'provider-away' };

export interface Provider {
  readonly name: string;
  /** Where the browser is sent to; null while the provider does not answer. */
  begin(back: string, state: string, secret: Buffer): Promise<URL | null>;
  /** `url`: where the provider has sent the browser back to. */
  end(url: URL, state: string, secret: Buffer): Promise<ProviderAnswer>;
}

const ANSWER_WITHIN_S = 10;
const NAME_CHARACTERS = 80;

/** The name to show: the first that can be shown. */
function nameOf(claims: Readonly<Record<string, unknown>>, subject: string): string {
  const names = ['name', 'preferred_username', 'email'].map((claim) => claims[claim]);
  const name = names.find(
    (each): each is string => typeof each === 'string' && each.trim() !== '' && isPlain(each),
  );
  return (name ?? subject).trim().slice(0, NAME_CHARACTERS);
}

function createProvider(o: z.infer<typeof Settings>, clientSecret: string | null): Provider {
  const load = () => import('openid-client');
  let found: Promise<Configuration> | null = null;
  /** Asked once it is needed: a provider that is away keeps no centre from starting. */
  const configuration = (): Promise<Configuration> => {
    found ??= load()
      .then((client) =>
        client.discovery(
          new URL(o.issuer),
          o.clientId,
          undefined,
          clientSecret === null ? client.None() : client.ClientSecretPost(clientSecret),
          {
            timeout: ANSWER_WITHIN_S,
            execute: o.issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
          },
        ),
      )
      .catch((error: unknown) => {
        found = null;
        throw error;
      });
    return found;
  };
  /** What only who has made the state can know again; so the browser need not keep it. */
  const derived = (secret: Buffer, what: 'nonce' | 'verifier', state: string): string =>
    createHmac('sha256', secret).update(`${what} ${state}`).digest('base64url');

  const roleOf = (claim: unknown): Role | null => {
    const values = (Array.isArray(claim) ? claim : [claim]).filter((each) => typeof each === 'string');
    return o.roles.find(({ value }) => values.includes(value))?.role ?? null;
  };

  return {
    name: o.name,
    begin: async (back, state, secret) => {
      const client = await load();
      const config = await configuration().catch(() => null);
      if (config === null) return null;
      return client.buildAuthorizationUrl(config, {
        redirect_uri: back,
        scope: o.scope,
        state,
        nonce: derived(secret, 'nonce', state),
        code_challenge: await client.calculatePKCECodeChallenge(derived(secret, 'verifier', state)),
        code_challenge_method: 'S256',
      });
    },
    end: async (url, state, secret) => {
      const client = await load();
      const config = await configuration().catch(() => null);
      if (config === null) return { outcome: 'provider-away' };
      let claims: Readonly<Record<string, unknown>> & { readonly sub: string };
      try {
        const tokens = await client.authorizationCodeGrant(config, url, {
          expectedState: state,
          expectedNonce: derived(secret, 'nonce', state),
          pkceCodeVerifier: derived(secret, 'verifier', state),
          idTokenExpected: true,
        });
        const said = tokens.claims()!;
        // Many providers keep groups out of the token itself.
        const more =
          config.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await client.fetchUserInfo(config, tokens.access_token, said.sub);
        claims = { ...more, ...said };
      } catch (error) {
        const isAway = error instanceof TypeError || (error as Error).name === 'TimeoutError';
        return { outcome: isAway ? 'provider-away' : 'provider-refused' };
      }
      const { sub: subject } = claims;
      if (!isPlain(subject) || subject.length > 255) return { outcome: 'provider-refused' };
      const [name, role] = [nameOf(claims, subject), roleOf(claims[o.claim])];
      if (role === null) return { outcome: 'no-role', name };
      const issuer = config.serverMetadata().issuer;
      return { outcome: 'known', claimed: { issuer, subject, name, role } };
    },
  };
}
