/** Single sign-on over real storage with a real OpenID provider, without a service around them. */
import type { TestContext } from 'node:test';
import type { EmailTrust } from '@csg/shared/contract';
import { completeSso } from '../../apps/cloud/src/flows/single-sign-on/complete-sso.ts';
import { type SsoDeps, startSso } from '../../apps/cloud/src/flows/single-sign-on/start-sso.ts';
import { createIdentityProviders } from '../../apps/cloud/src/single-sign-on/identity-providers.ts';
import { BROWSER, openAccountTestEnv } from './account-test-env.ts';
import { CLIENT_ID, CLIENT_SECRET, signInAtProvider, startIdentityProvider } from './identity-provider.ts';

export const BROWSER_SECRET = 'the secret of this browser';

export async function openSsoTestEnv(t: TestContext) {
  const env = await openAccountTestEnv(t);
  const { storage, clock, deps: accountDeps } = env;
  const identityProvider = await startIdentityProvider(() => [accountDeps.links.ssoCallback()]);
  const identityProviders = createIdentityProviders({ allowPrivate: true });
  t.after(async () => {
    await identityProviders.close();
    await identityProvider.close();
  });
  const lines: Record<string, unknown>[] = [];
  const deps: SsoDeps = {
    ...{ storage, clock, links: accountDeps.links, identityProviders, environmentSso: null },
    log: { warn: (fields) => void lines.push(fields as Record<string, unknown>) },
  };
  const { userId: ownerId, organizationId } = await env.addPerson();
  const provider = {
    ...{ issuer: identityProvider.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    ...{ roleClaim: null as string | null, domains: ['corp.example'] },
    emailTrust: 'verified' as EmailTrust,
  };
  const setProvider = (change: Partial<typeof provider> = {}) =>
    storage.singleSignOn.setProvider(organizationId, { ...provider, ...change });
  await setProvider();

  /** The callback to which the provider leads the person. */
  async function begin(
    subject: string,
    claims: object,
    linked: Parameters<typeof startSso>[1]['linked'] = null,
  ) {
    identityProvider.people.set(subject, { ...claims });
    identityProvider.subject = subject;
    const started = await startSso(deps, { organization: organizationId, browser: BROWSER_SECRET, linked });
    const url = new URL(await signInAtProvider(identityProvider, started.href));
    return { url, state: url.searchParams.get('state')!, secret: BROWSER_SECRET, browser: BROWSER };
  }
  const enter = async (...input: Parameters<typeof begin>) => await completeSso(deps, await begin(...input));
  return { ...env, deps, identityProvider, lines, ownerId, organizationId, setProvider, begin, enter };
}
