import { CodedError } from '@csg/shared/contract';
import { IdentityProviderError } from '../../single-sign-on/identity-provider-error.ts';
import type { IdentityProviders } from '../../single-sign-on/identity-providers.ts';
import type { Storage } from '../../storage/storage.ts';
import type { SignedIn } from '../accounts/read-session.ts';
import type { Clock } from '../clock.ts';
import type { Links } from '../links.ts';
import { type FindSsoDeps, selectSso } from './find-sso.ts';

export interface SsoDeps extends FindSsoDeps {
  readonly storage: Storage;
  readonly identityProviders: IdentityProviders;
  readonly links: Links;
  readonly clock: Clock;
  readonly log: { warn(fields: object, message: string): void };
}

export interface StartSsoInput {
  readonly organization?: string | undefined;
  readonly email?: string | undefined;
  /** Secret known only to this browser. */
  readonly browser: string;
  /** The person to link; null for a sign-in. */
  readonly linked: SignedIn | null;
}

/** Long enough to sign in at the provider with a second factor. */
export const SSO_SIGN_IN_MS = 15 * 60_000;

/** Returns the provider's page to redirect to, for a sign-in that only this browser can complete. */
export async function startSso(deps: SsoDeps, input: StartSsoInput): Promise<URL> {
  const { linked } = input;
  const organization = input.organization ?? linked?.membership?.organizationId;
  const sso = await selectSso(deps, { organization, email: input.email });
  if (linked !== null) {
    const { storage } = deps;
    const member = await storage.members.get(sso.organizationId, linked.userId);
    if (member === null) {
      throw new CodedError('not_found', { message: 'No such organization among yours.' });
    }
  }
  const secrets = await deps.storage.singleSignOn.begin({
    organizationId: sso.organizationId,
    browser: input.browser,
    linkSessionId: linked?.sessionId ?? null,
    expiresAtMs: deps.clock.now() + SSO_SIGN_IN_MS,
  });
  try {
    return await deps.identityProviders.authorizationUrl(sso.provider, secrets, deps.links.ssoCallback());
  } catch (error) {
    throw toSsoError(deps, sso.organizationId, error, 'sso_unavailable');
  }
}

/** Logs the cause for the admin who configured the provider; the response contains none of its addresses. */
export function toSsoError(
  { log }: Pick<SsoDeps, 'log'>,
  organizationId: string,
  error: unknown,
  whenRefused: 'sso_refused' | 'sso_unavailable',
): unknown {
  if (!(error instanceof IdentityProviderError)) return error;
  log.warn({ organization_id: organizationId, err: error }, 'the identity provider gave no sign-in');
  if (error.kind === 'unreachable') return new CodedError('sso_unavailable');
  return whenRefused === 'sso_unavailable'
    ? new CodedError('sso_unavailable', {
        message: 'The configuration that the identity provider publishes cannot be used. Ask an admin.',
      })
    : new CodedError('sso_refused', {
        message: 'The identity provider did not confirm this sign-in. Start again, or ask an admin.',
      });
}
