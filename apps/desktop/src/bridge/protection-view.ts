import type { AgentStatus } from '../agent/control/control-messages.ts';

/** `paused`: monitor mode, nothing is blocked. */
export type ProtectionKind = 'protected' | 'attention' | 'unprotected' | 'paused';

export interface ProtectionView {
  readonly kind: ProtectionKind;
  /** A few words for tray and heading. */
  readonly title: string;
  /** What the state means for the user, and what to do. */
  readonly sentence: string;
  /** False: set so, and another try changes nothing. */
  readonly canRetry?: false;
}

type ProtectionStatus = Pick<
  AgentStatus,
  | 'enrolled'
  | 'running'
  | 'supervisor_state'
  | 'revoked'
  | 'problem'
  | 'system_proxy'
  | 'mode'
  | 'account_name'
  | 'service_reachable'
  | 'needs_trust'
>;

/** The only place that describes the protection state in words. Calm if all is well, clear if not. */
export function viewProtection(status: ProtectionStatus): ProtectionView {
  if (!status.enrolled) {
    return {
      kind: 'unprotected',
      title: 'Not enrolled',
      sentence:
        'This computer is not enrolled in an organization. Open the link that your administrator sent you.',
    };
  }
  const problem = status.problem ?? 'The cause is not known yet.';
  if (status.revoked || !status.running || status.supervisor_state === 'stopped') {
    return { kind: 'unprotected', title: 'Not protected', sentence: problem };
  }
  if (status.supervisor_state === 'gave_up') {
    const sentence = `${problem} Your network works normally. Your administrator has been notified.`;
    return { kind: 'unprotected', title: 'Not protected', sentence };
  }
  if (status.supervisor_state === 'retrying') {
    const sentence = status.problem ?? 'Protection is starting. Your network works normally.';
    return { kind: 'attention', title: 'Starting', sentence };
  }
  if (status.needs_trust) {
    const sentence =
      'This computer does not trust the certificate of the agent yet, so its apps are not protected. An administrator must trust the certificate.';
    return { kind: 'unprotected', title: 'Not protected', sentence };
  }
  if (status.system_proxy === 'not_set') {
    return { kind: 'unprotected', title: 'Not protected', sentence: problem };
  }
  if (status.problem !== null)
    return { kind: 'attention', title: 'Needs attention', sentence: status.problem };
  const organization = status.account_name ?? 'your organization';
  if (status.mode === 'monitor') {
    const sentence = `${organization} has enabled monitor mode. Nothing is blocked or changed.`;
    return { kind: 'paused', title: 'Monitor mode', sentence };
  }
  if (status.system_proxy === 'off') {
    const sentence =
      'The agent does not change the proxy setting (AGENT_SYSTEM_PROXY=off), so only programs started with "agent env" are protected.';
    return { kind: 'attention', title: 'Some programs only', sentence, canRetry: false };
  }
  const sentence =
    status.service_reachable === false
      ? 'The service is not responding, so this computer decides on its own and reports to the service later.'
      : `Your messages to AI tools are checked for ${organization}.`;
  return { kind: 'protected', title: 'Protected', sentence };
}
