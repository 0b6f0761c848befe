import { type ChangeSsoRequest, CodedError, ValidationError } from '@csg/shared/contract';
import { isSharedIssuer } from '../../config/is-shared-issuer.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import type { ReadTxtRecords } from '../../outbound/read-txt-records.ts';
import { isIssuer } from '../../single-sign-on/is-loopback.ts';
import type { Repositories, Storage } from '../../storage/storage.ts';
import { applyGroupRoles } from '../accounts/group-roles.ts';
import type { TeamCaller } from '../accounts/organizations.ts';
import { type FindSsoDeps, findSso } from './find-sso.ts';

export interface ChangeSsoDeps extends FindSsoDeps {
  readonly storage: Storage;
  readonly readTxtRecords: ReadTxtRecords;
  readonly targetRules: GuardRules;
}

/** Name of the DNS record for a domain, chosen so that it collides with no other. */
const domainRecordName = (domain: string): string => `_csg-verification.${domain}`;

/** Sets the provider. Every domain has to be verified by its DNS record; sessions of the previous provider end. */
export async function changeSso(
  deps: ChangeSsoDeps,
  { organizationId, userId }: TeamCaller,
  input: ChangeSsoRequest,
): Promise<void> {
  const before = await requireOwnSettings(deps, organizationId);
  const issuer = input.issuer.trim();
  const emailTrust = input.email_trust ?? 'verified';
  if (emailTrust === 'tenant' && isSharedIssuer(issuer)) {
    const msg =
      'This issuer signs tokens for more than one company. Name the issuer of your own tenant, or choose "verified".';
    throw new ValidationError([{ loc: ['body', 'email_trust'], msg, type: 'shared_issuer' }]);
  }
  await requireIssuer(deps, organizationId, issuer);
  const domains = [...new Set(input.domains.map((domain) => domain.trim().toLowerCase()))];
  await requireProofs(deps, organizationId, domains);
  const isSameClient = before?.provider.issuer === issuer && before.provider.clientId === input.client_id;
  // Secrets are never shown, so a form without one keeps the existing secret, but only for the same client.
  const clientSecret = input.client_secret ?? (isSameClient ? before.provider.clientSecret : null);
  await deps.storage.transaction(async (repositories) => {
    await repositories.singleSignOn.setProvider(organizationId, {
      issuer,
      clientId: input.client_id,
      clientSecret,
      roleClaim: input.role_claim?.trim() || null,
      domains,
      emailTrust,
    });
    if (!input.role_claim?.trim()) await keepRoles(repositories, organizationId, userId);
    if (!isSameClient) await repositories.sessions.endSso(organizationId);
    await repositories.audit.append({
      organizationId,
      kind: 'sso_changed',
      actor: userId,
      subject: organizationId,
      data: {
        issuer,
        client_id: input.client_id,
        domains,
        role_claim: input.role_claim ?? null,
        email_trust: emailTrust,
      },
    });
  });
}

/** Removes the provider and ends its sessions. Members need passwords again, so SSO is no longer required. */
export async function removeSso(deps: ChangeSsoDeps, { organizationId, userId }: TeamCaller): Promise<void> {
  await requireOwnSettings(deps, organizationId);
  await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.singleSignOn.removeProvider(organizationId))) {
      throw new CodedError('not_found', { message: 'Single sign-on is not set up for this organization.' });
    }
    await repositories.organizations.setSsoOnly(organizationId, false);
    await keepRoles(repositories, organizationId, userId);
    await repositories.sessions.endSso(organizationId);
    await repositories.audit.append({
      organizationId,
      kind: 'sso_removed',
      actor: userId,
      subject: organizationId,
      data: {},
    });
  });
}

/** Without a claim, the roles that it gave are assigned ones, which the members page changes. */
async function keepRoles(repositories: Repositories, organizationId: string, actor: string): Promise<void> {
  await repositories.organizations.lock(organizationId);
  await repositories.roleMap.keepClaimRoles(organizationId);
  await applyGroupRoles(repositories, { organizationId, actor }, 'all');
}

async function requireOwnSettings(deps: ChangeSsoDeps, organizationId: string) {
  const sso = await findSso(deps, organizationId);
  if (sso?.source === 'environment') {
    throw new CodedError('invalid_state', {
      message:
        'The operator configured single sign-on of this organization in the environment (OIDC_ISSUER). It can be changed only there.',
    });
  }
  return sso;
}

/** The operator may use a provider in their own network; other organizations need one on the public internet. */
async function requireIssuer(deps: ChangeSsoDeps, organizationId: string, issuer: string): Promise<void> {
  if (!isIssuer(issuer)) {
    const msg = 'The issuer must be an https URL without a query, such as https://login.example.com.';
    throw new ValidationError([{ loc: ['body', 'issuer'], msg, type: 'issuer' }]);
  }
  const isOperator = (await deps.storage.organizations.findOperator())?.id === organizationId;
  if (!isOperator) await checkTarget('issuer', issuer, deps.targetRules);
}

async function requireProofs(
  { storage, readTxtRecords }: ChangeSsoDeps,
  organizationId: string,
  domains: readonly string[],
): Promise<void> {
  const proofs = await Promise.all(
    domains.map(async (domain, index) => {
      const value = storage.singleSignOn.domainProof(organizationId, domain);
      const name = domainRecordName(domain);
      const isProven = (await readTxtRecords(name)).includes(value);
      return { index, name, value, isProven };
    }),
  );
  const missing = proofs.filter(({ isProven }) => !isProven);
  if (missing.length === 0) return;
  throw new ValidationError(
    missing.map(({ index, name, value }) => ({
      loc: ['body', 'domains', index],
      msg: `Prove that you own this domain: add a DNS TXT record ${name} with the value ${value}, then save again.`,
      type: 'domain_not_proven',
      ctx: { record_name: name, record_value: value },
    })),
  );
}
