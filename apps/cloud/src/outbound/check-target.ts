import { ValidationError } from '@csg/shared/contract';
import { AddressDenied, DENY_REASONS } from './address-denied.ts';
import { checkUrl } from './check-url.ts';
import type { GuardRules } from './guarded-connector.ts';
import { resolveChecked } from './resolve-checked.ts';

const RESOLVE_MS = 2_000;

/**
 * Checks that the service may connect to a URL that a person enters. Each attempt checks again; this check shows the
 * problem next to the field. Returns warnings about an accepted URL.
 */
export async function checkTarget(
  field: string,
  text: string,
  rules: GuardRules,
): Promise<readonly string[]> {
  const deny = (msg: string, reason: string) =>
    new ValidationError([{ loc: ['body', field], msg, type: 'address_refused', ctx: { reason } }]);
  const checked = checkUrl(text, rules);
  if (!checked.ok)
    throw deny(`${DENY_REASONS[checked.reason]} ${HINT[checked.reason] ?? ''}`.trim(), checked.reason);
  const warnings: string[] = [];
  if (checked.url.protocol === 'http:') {
    warnings.push(
      'This address uses http, so others on the network can read what is sent. Use https if possible.',
    );
  }
  const denyReason = await resolveDenyReason(checked.url.hostname, rules);
  if (denyReason === 'private_address') throw deny(DENY_REASONS.private_address, denyReason);
  if (denyReason !== null) warnings.push('The host name could not be resolved. Check it for typos.');
  return warnings;
}

const HINT: Partial<Record<string, string>> = {
  port: 'Use port 80, 443, 8080 or 8443.',
  private_name: 'It must be reachable from the internet.',
  private_address: 'It must be reachable from the internet.',
};

async function resolveDenyReason(hostname: string, rules: GuardRules): Promise<string | null> {
  const late = new Promise<'late'>((resolve) => void setTimeout(resolve, RESOLVE_MS, 'late').unref());
  try {
    return (await Promise.race([resolveChecked(hostname, rules), late])) === 'late' ? 'late' : null;
  } catch (error) {
    if (error instanceof AddressDenied) return error.reason;
    throw error;
  }
}
