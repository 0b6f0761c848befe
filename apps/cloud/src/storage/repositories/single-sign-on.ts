import { randomBase62 } from '../ids.ts';
import {
  type SingleSignOn,
  type SsoSecrets,
  ssoIdentityTable,
  ssoProviderTable,
} from '../model/single-sign-on.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import type { Vault } from '../sealing/vault.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const STATE_LENGTH = 43;

export function createSingleSignOn(deps: RepositoryDeps): SingleSignOn {
  return { ...providers(deps), ...identities(deps), ...signIns(deps) };
}

function providers({
  db,
  vault,
  now,
}: RepositoryDeps): Pick<
  SingleSignOn,
  'getProvider' | 'setProvider' | 'removeProvider' | 'hasProviders' | 'findByDomain' | 'domainProof'
> {
  return {
    async getProvider(organizationId) {
      const row = await db
        .selectFrom('sso_providers')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { sealed_secret: sealed } = row;
      const clientSecret = sealed && vault.open(sealed, SEAL_CONTEXTS.ssoSecret(organizationId));
      return { ...ssoProviderTable.read(row), clientSecret };
    },
    async setProvider(organizationId, { issuer, clientId, clientSecret, roleClaim, domains, emailTrust }) {
      const values = {
        issuer: toStorableText(issuer),
        client_id: toStorableText(clientId),
        sealed_secret:
          clientSecret === null ? null : vault.seal(clientSecret, SEAL_CONTEXTS.ssoSecret(organizationId)),
        role_claim: roleClaim === null ? null : toStorableText(roleClaim),
        domains: JSON.stringify(domains),
        email_trust: emailTrust,
        updated_at_ms: now(),
      };
      await db
        .insertInto('sso_providers')
        .values({ organization_id: organizationId, ...values })
        .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
        .execute();
    },
    async removeProvider(organizationId) {
      const { numDeletedRows } = await db
        .deleteFrom('sso_providers')
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    async hasProviders() {
      const row = await db.selectFrom('sso_providers').select('organization_id').limit(1).executeTakeFirst();
      return row !== undefined;
    },
    async findByDomain(domain) {
      const rows = await db
        .selectFrom('sso_providers')
        .select(['organization_id', 'domains'])
        .orderBy('organization_id')
        .execute();
      return rows
        .filter(({ domains }) => (JSON.parse(domains) as string[]).includes(domain))
        .map(({ organization_id }) => organization_id);
    },
    domainProof(organizationId, domain) {
      const proof = vault.lookupHash(`sso-domain:${organizationId}:${domain}`).toString('hex').slice(0, 32);
      return `csg-domain-verification=${proof}`;
    },
  };
}

function identities({
  db,
  now,
}: RepositoryDeps): Pick<SingleSignOn, 'findIdentity' | 'listIdentities' | 'link'> {
  return {
    async findIdentity(issuer, subject) {
      const row = await db
        .selectFrom('sso_identities')
        .selectAll()
        .where('issuer', '=', toStorableText(issuer))
        .where('subject', '=', toStorableText(subject))
        .executeTakeFirst();
      return ssoIdentityTable.readOrNull(row);
    },
    async listIdentities(userId) {
      const rows = await db
        .selectFrom('sso_identities')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('linked_at_ms')
        .orderBy('subject')
        .execute();
      return rows.map(ssoIdentityTable.read);
    },
    async link({ issuer, subject, userId }) {
      await db
        .insertInto('sso_identities')
        .values({
          issuer: toStorableText(issuer),
          subject: toStorableText(subject),
          user_id: userId,
          linked_at_ms: now(),
        })
        .execute();
    },
  };
}

function signIns({ db, vault }: RepositoryDeps): Pick<SingleSignOn, 'begin' | 'take' | 'prune'> {
  const hashOf = (text: string): Buffer => vault.lookupHash(`sso-sign-in:${text}`);
  return {
    async begin({ organizationId, browser, linkSessionId, expiresAtMs }) {
      const state = randomBase62(STATE_LENGTH);
      await db
        .insertInto('sso_sign_ins')
        .values({
          state_hash: hashOf(state),
          browser_hash: hashOf(browser),
          organization_id: organizationId,
          link_session_id: linkSessionId,
          expires_at_ms: expiresAtMs,
        })
        .execute();
      return secretsOf(vault, state);
    },
    async take(state, browser, nowMs) {
      const row = await db
        .deleteFrom('sso_sign_ins')
        .where('state_hash', '=', hashOf(state))
        .where('browser_hash', '=', hashOf(browser))
        .where('expires_at_ms', '>', nowMs)
        .returningAll()
        .executeTakeFirst();
      return row === undefined
        ? null
        : {
            organizationId: row.organization_id,
            linkSessionId: row.link_session_id,
            secrets: secretsOf(vault, state),
          };
    },
    async prune(nowMs) {
      const { numDeletedRows } = await db
        .deleteFrom('sso_sign_ins')
        .where('expires_at_ms', '<=', nowMs)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

/** Only the holder of the service's master key can derive these, although the provider sees the state itself. */
function secretsOf(vault: Vault, state: string): SsoSecrets {
  const derive = (purpose: string) => vault.lookupHash(`sso-${purpose}:${state}`).toString('base64url');
  return { state, nonce: derive('nonce'), codeVerifier: derive('verifier') };
}
