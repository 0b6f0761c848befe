import type * as openid from 'openid-client';
import { Agent, fetch } from 'undici';
import { type GuardRules, guardedConnector } from '../outbound/guarded-connector.ts';
import { IdentityProviderError } from './identity-provider-error.ts';
import { isLoopback } from './is-loopback.ts';

/** An OpenID provider, and this service's client there. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** null: a public client, which uses PKCE only. */
  readonly clientSecret: string | null;
  /** Configured by the operator: may be in their own network. */
  readonly isTrusted: boolean;
}

/** Values of one sign-in, which the provider and the callback must return. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The identity from the provider: claims of the verified ID token and of the user info. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface IdentityProviders {
  /** Returns the URL at which a browser signs in. Throws IdentityProviderError. */
  authorizationUrl(provider: IdentityProvider, secrets: SignInSecrets, redirectUri: string): Promise<URL>;
  /** Redeems the parameters of the callback. Throws IdentityProviderError. */
  redeem(provider: IdentityProvider, secrets: SignInSecrets, callbackUrl: URL): Promise<ProvenIdentity>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1_048_576;
const MAX_CLOCK_SKEW_S = 300;

/** Reads the provider's metadata for each sign-in, so that new keys and URLs apply immediately. */
export function createIdentityProviders(rules: GuardRules): IdentityProviders {
  const agentOf = (guard: GuardRules) =>
    new Agent({
      connect: guardedConnector(guard),
      allowH2: false,
      maxResponseSize: MAX_RESPONSE_BYTES,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
  const guarded = agentOf(rules);
  const trusted = agentOf({ allowPrivate: true });

  /** Runs the steps with a fetch that records whether a request got no response, or a status of 500 or above. */
  async function call<T>(
    { issuer, isTrusted }: IdentityProvider,
    steps: (client: typeof openid, options: openid.DiscoveryRequestOptions) => Promise<T>,
  ): Promise<T> {
    // Loaded on first use: most services never need it.
    const client = await import('openid-client');
    let unreachable: unknown = null;
    const customFetch: openid.CustomFetch = async (url, options) => {
      const { protocol, hostname } = new URL(url);
      if (protocol !== 'https:' && !isLoopback(hostname)) {
        throw new TypeError(
          'A URL of the identity provider uses http. Outside of this computer, https is required.',
        );
      }
      try {
        const dispatcher = isTrusted ? trusted : guarded;
        // The types of the body are those of the undici package; the values are the same.
        const response = await fetch(url, { ...options, dispatcher } as Parameters<typeof fetch>[1]);
        if (response.status >= 500) unreachable = new Error(`status ${response.status}`);
        return response as unknown as Response;
      } catch (error) {
        unreachable = error;
        throw error;
      }
    };
    const isHttp = issuer.startsWith('http:');
    try {
      return await steps(client, {
        [client.customFetch]: customFetch,
        timeout: TIMEOUT_MS / 1_000,
        execute: [client.enableNonRepudiationChecks, ...(isHttp ? [client.allowInsecureRequests] : [])],
      });
    } catch (error) {
      throw unreachable === null
        ? new IdentityProviderError('refused', error)
        : new IdentityProviderError('unreachable', unreachable);
    }
  }

  return {
    authorizationUrl: (provider, { state, nonce, codeVerifier }, redirectUri) =>
      call(provider, async (client, options) => {
        const config = await discover(client, provider, options);
        return client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        });
      }),

    redeem: (provider, { state, nonce, codeVerifier }, callbackUrl) =>
      call(provider, async (client, options) => {
        const config = await discover(client, provider, options);
        const tokens = await client.authorizationCodeGrant(config, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new TypeError('The provider sent no ID token.');
        requireCurrent(claims.iat);
        const { userinfo_endpoint: hasUserInfo } = config.serverMetadata();
        const further = hasUserInfo
          ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
          : undefined;
        return { issuer: claims.iss, subject: claims.sub, claims: { ...further, ...claims } };
      }),

    async close() {
      await Promise.all([guarded.close(), trusted.close()]);
    },
  };
}

/** The token was issued on redemption: another time means a wrong clock (OpenID Connect Core, 3.1.3.7). */
function requireCurrent(issuedAtS: number): void {
  const offS = Math.round(issuedAtS - Date.now() / 1_000);
  if (Math.abs(offS) <= MAX_CLOCK_SKEW_S) return;
  const direction = offS > 0 ? 'ahead of' : 'behind';
  throw new TypeError(
    `The clock of the identity provider is ${Math.abs(offS)} seconds ${direction} that of this service.`,
  );
}

function discover(
  client: typeof openid,
  { issuer, clientId, clientSecret }: IdentityProvider,
  options: openid.DiscoveryRequestOptions,
): Promise<openid.Configuration> {
  return client.discovery(
    new URL(issuer),
    clientId,
    undefined,
    authenticationBy(client, clientSecret),
    options,
  );
}

/** Selects by the methods in the provider's metadata; RFC 8414 defines the default if it lists none. */
function authenticationBy(client: typeof openid, clientSecret: string | null): openid.ClientAuth {
  if (clientSecret === null) return client.None();
  const basic = client.ClientSecretBasic(clientSecret);
  const post = client.ClientSecretPost(clientSecret);
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}
