import { CodedError } from '@csg/shared/contract';
import type { Repositories } from '../../storage/storage.ts';
import type { AccountDeps } from './account-deps.ts';
import { confirmPassword } from './confirm-password.ts';
import { securityNoticeEmail } from './email-texts.ts';
import type { SignedIn } from './read-session.ts';
import { recordForPerson } from './record-for-person.ts';
import { consumeCode, newRecoveryCodes, newSecret, otpauthUrl } from './second-factor.ts';
import { throttleAttempts } from './throttle-attempts.ts';

type Deps = Pick<AccountDeps, 'storage' | 'clock' | 'links' | 'signInThrottle'>;

/** Returns a secret for the authenticator app. It is active once a code generated from it is confirmed. */
export async function beginSecondFactor(
  deps: Deps,
  person: SignedIn,
  currentPassword: string,
): Promise<{ readonly secret: string; readonly otpauth_url: string }> {
  await confirmPassword(deps, person, currentPassword);
  const secret = newSecret();
  if (!(await deps.storage.secondFactors.begin(person.userId, secret))) {
    throw new CodedError('invalid_state', {
      message: 'Two-factor authentication is already enabled. Disable it before you set it up again.',
    });
  }
  return { secret, otpauth_url: otpauthUrl(secret, person.email) };
}

/** Activates the second factor, ends every other session, and returns the recovery codes, which are shown only once. */
export async function confirmSecondFactor(
  deps: Deps,
  person: SignedIn,
  code: string,
): Promise<readonly string[]> {
  return await withCode(deps, person, code, async (repositories) => {
    if (!(await repositories.secondFactors.confirm(person.userId, deps.clock.now()))) {
      throw new CodedError('invalid_state', {
        message: 'Start the setup of two-factor authentication first.',
      });
    }
    const codes = newRecoveryCodes();
    await repositories.secondFactors.setRecoveryCodes(person.userId, codes);
    await repositories.sessions.endAll(person.userId, person.sessionId);
    await notify(deps, repositories, person, 'second_factor_added', 'Two-factor authentication was enabled');
    return codes;
  });
}

/** Creates new recovery codes; the previous ones become invalid. */
export async function renewRecoveryCodes(
  deps: Deps,
  person: SignedIn,
  code: string,
): Promise<readonly string[]> {
  return await withCode(deps, person, code, async (repositories) => {
    if (!person.hasSecondFactor) throw noFactor();
    const codes = newRecoveryCodes();
    await repositories.secondFactors.setRecoveryCodes(person.userId, codes);
    await recordForPerson(repositories, person.userId, 'recovery_codes_renewed');
    return codes;
  });
}

/** Requires the password and a code, or a recovery code if the phone is lost. */
export async function removeSecondFactor(
  deps: Deps,
  person: SignedIn,
  input: { readonly current_password: string; readonly code: string },
): Promise<void> {
  if (!person.hasSecondFactor) throw noFactor();
  await confirmPassword(deps, person, input.current_password);
  await withCode(deps, person, input.code, async (repositories) => {
    await repositories.secondFactors.remove(person.userId);
    await notify(
      deps,
      repositories,
      person,
      'second_factor_removed',
      'Two-factor authentication was disabled',
    );
  });
}

async function withCode<T>(
  deps: Deps,
  person: SignedIn,
  code: string,
  work: (repositories: Repositories) => Promise<T>,
): Promise<T> {
  const attempt = { account: `session ${person.sessionId}`, address: '', isKnown: true };
  return await throttleAttempts(deps.signInThrottle, attempt, () =>
    deps.storage.transaction(async (repositories) => {
      await consumeCode(repositories, person.userId, code, deps.clock.now());
      return await work(repositories);
    }),
  );
}

async function notify(
  deps: Deps,
  repositories: Repositories,
  person: SignedIn,
  kind: string,
  subject: string,
): Promise<void> {
  await recordForPerson(repositories, person.userId, kind);
  await repositories.emails.add({
    organizationId: null,
    to: person.email,
    ...securityNoticeEmail(subject, deps.links.page('forgot-password')),
  });
}

function noFactor(): CodedError {
  return new CodedError('invalid_state', { message: 'Two-factor authentication is not enabled.' });
}
