import { CodedError, type EmailTrust } from '@csg/shared/contract';
import type { IdentityProvider } from '../../single-sign-on/identity-providers.ts';
import type { Storage } from '../../storage/storage.ts';

/** Configuration of the operator's organization from the environment; null if there is none. */
export interface EnvironmentSso {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly domains: readonly string[];
  readonly roleClaim: string | null;
  readonly emailTrust: EmailTrust;
}

/** Single sign-on of an organization, from either source. */
export interface Sso {
  readonly source: 'organization' | 'environment';
  readonly organizationId: string;
  readonly provider: IdentityProvider;
  readonly domains: readonly string[];
  readonly roleClaim: string | null;
  readonly emailTrust: EmailTrust;
}

export interface FindSsoDeps {
  readonly storage: Pick<Storage, 'organizations' | 'singleSignOn'>;
  readonly environmentSso: EnvironmentSso | null;
}

/** Returns the configuration; null if there is none. The environment takes precedence over the settings page. */
export async function findSso(deps: FindSsoDeps, organizationId: string): Promise<Sso | null> {
  const { storage, environmentSso } = deps;
  const isOperator = (await storage.organizations.findOperator())?.id === organizationId;
  if (isOperator && environmentSso !== null) {
    const { issuer, clientId, clientSecret, domains, roleClaim, emailTrust } = environmentSso;
    const provider = { issuer, clientId, clientSecret, isTrusted: true };
    return { source: 'environment', organizationId, provider, domains, roleClaim, emailTrust };
  }
  const own = await storage.singleSignOn.getProvider(organizationId);
  if (own === null) return null;
  const { issuer, clientId, clientSecret, domains, roleClaim, emailTrust } = own;
  const provider = { issuer, clientId, clientSecret, isTrusted: isOperator };
  return { source: 'organization', organizationId, provider, domains, roleClaim, emailTrust };
}

/** Selects by organization, by the domain of an email address, or else from the environment. Throws `not_found`. */
export async function selectSso(
  deps: FindSsoDeps,
  by: { readonly organization?: string | undefined; readonly email?: string | undefined },
): Promise<Sso> {
  const organizationId = by.organization ?? (await organizationOf(deps, by.email));
  const sso = organizationId === null ? null : await findSso(deps, organizationId);
  if (sso === null) {
    throw new CodedError('not_found', { message: 'Single sign-on is not set up for this organization.' });
  }
  return sso;
}

async function organizationOf(deps: FindSsoDeps, email: string | undefined): Promise<string | null> {
  const { storage, environmentSso } = deps;
  const domain = email === undefined ? null : domainOf(email);
  if (environmentSso !== null && (domain === null || environmentSso.domains.includes(domain))) {
    return (await storage.organizations.findOperator())?.id ?? null;
  }
  return domain === null ? null : ((await storage.singleSignOn.findByDomain(domain))[0] ?? null);
}

/** Returns the part after the last @, in lower case. */
export function domainOf(email: string): string {
  return email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();
}
