/** A real OpenID provider on loopback, which signs people in without a page. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { openBrowser, type TestBrowser } from './browser.ts';
import type { TestGateway } from './gateway.ts';

export const CLIENT_ID = 'gateway';
export const CLIENT_SECRET = 'a secret between the two';

export interface TestIdentityProvider {
  readonly issuer: string;
  /** Claims by subject. */
  readonly people: Map<string, Record<string, unknown>>;
  /** The subject of the next sign-in. */
  subject: string;
  /** Responds in place of the provider. */
  override: RequestListener | null;
  readonly requests: string[];
  /** The error of its clock, in seconds, in the ID tokens that it signs. */
  clockOffS: number;
  close(): Promise<void>;
}

const { privateKey: SIGNING_KEY } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The token signed again, as by a provider with that clock. */
function shiftToken(token: string, byS: number): string {
  const [head = '', body = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { iat: number; exp: number };
  const shifted = { ...claims, iat: claims.iat + byS, exp: claims.exp + byS };
  const signed = `${head}.${Buffer.from(JSON.stringify(shifted)).toString('base64url')}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), SIGNING_KEY).toString('base64url')}`;
}

export async function startIdentityProvider(redirectUris: () => string[]): Promise<TestIdentityProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const identityProvider: TestIdentityProvider = {
    issuer,
    people: new Map(),
    subject: '',
    override: null,
    requests: [],
    clockOffS: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  let handle: RequestListener | null = null;
  server.on('request', async (request, response) => {
    identityProvider.requests.push(`${request.method} ${request.url}`);
    if (identityProvider.override !== null) return identityProvider.override(request, response);
    // Its clients are known only once the gateway listens.
    const provider = handle ?? createProvider(identityProvider, redirectUris());
    handle ??= provider;
    if (identityProvider.clockOffS !== 0 && request.url === '/token') {
      const end = response.end.bind(response);
      response.end = ((body: string | Buffer) => {
        const tokens = JSON.parse(String(body)) as { id_token?: string };
        if (tokens.id_token !== undefined)
          tokens.id_token = shiftToken(tokens.id_token, identityProvider.clockOffS);
        const text = JSON.stringify(tokens);
        response.setHeader('content-length', Buffer.byteLength(text));
        return end(text);
      }) as typeof response.end;
    }
    provider(request, response);
  });
  return identityProvider;
}

function createProvider(identityProvider: TestIdentityProvider, redirectUris: string[]): RequestListener {
  const provider = new Provider(identityProvider.issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: redirectUris }],
    claims: {
      openid: [
        'sub',
        'gateway_role',
        'groups',
        'roles',
        'tid',
        'oid',
        'hd',
        'xms_edov',
        'preferred_username',
      ],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the tests'] },
    jwks: { keys: [SIGNING_KEY.export({ format: 'jwk' })] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, ...identityProvider.people.get(sub) }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.on('server_error', (_context, error) => console.error(error));
  const callback = provider.callback();
  return async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    await provider.interactionFinished(request, response, { login: { accountId: identityProvider.subject } });
  };
}

/** Follows redirects at the provider, with cookies of its own, until they lead back. */
export async function signInAtProvider(identityProvider: TestIdentityProvider, url: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let at = url, hops = 0; hops < 10; hops += 1) {
    if (!at.startsWith(identityProvider.issuer)) return at;
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    at = new URL(location, at).href;
  }
  throw new Error('the provider leads in circles');
}

/** Runs start, provider and callback: in a browser of its own, or the given one. */
export async function signInBySso(
  gateway: TestGateway,
  identityProvider: TestIdentityProvider,
  subject: string,
  { browser = openBrowser(gateway), query = '' }: { browser?: TestBrowser; query?: string } = {},
) {
  identityProvider.subject = subject;
  const started = await browser.call('GET', `/sso/start${query}`);
  if (started.status !== 302) return { browser, answer: started };
  const back = await signInAtProvider(identityProvider, started.headers.get('location')!);
  const answer = await browser.call('GET', back.slice(back.indexOf('/sso/callback')));
  if (answer.status === 302) await browser.whoAmI();
  return { browser, answer };
}
