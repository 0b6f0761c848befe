import type { AgentStatus } from '../agent/control/control-messages.ts';

/** `paused`: the admin lets everything through and only watches. */
export type ProtectionKind = 'protected' | 'attention' | 'unprotected' | 'paused';

export interface ProtectionView {
  readonly kind: ProtectionKind;
  /** A few words: tray, heading. */
  readonly title: string;
  /** What it means for the person, and what to do where there is something to do. */
  readonly sentence: string;
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

/** The one place that says in words how this computer stands. Calm when all is well, plain when it is not. */
export function viewProtection(status: ProtectionStatus): ProtectionView {
  if (!status.enrolled) {
    return {
      kind: 'unprotected',
      title: 'Not enrolled',
      sentence:
        'This computer belongs to no organization yet. Open the link that your administrator sent you.',
    };
  }
  const problem = status.problem ?? 'The reason is not known yet.';
  if (status.revoked || !status.running || status.supervisor_state === 'stopped') {
    return { kind: 'unprotected', title: 'Not protecting this computer', sentence: problem };
  }
  if (status.supervisor_state === 'gave_up') {
    const sentence = `${problem} Your network works normally. Your administrator has been told.`;
    return { kind: 'unprotected', title: 'Not protecting this computer', sentence };
  }
  if (status.supervisor_state === 'retrying') {
    const sentence = status.problem ?? 'The protection is starting. Your network works normally.';
    return { kind: 'attention', title: 'Starting', sentence };
  }
  if (status.needs_trust) {
    const sentence =
      'This computer does not trust the certificate of the agent yet, so its apps were left alone. Trusting it needs an administrator.';
    return { kind: 'unprotected', title: 'Not protecting this computer', sentence };
  }
  if (status.system_proxy === 'not_set') {
    return { kind: 'unprotected', title: 'Not protecting this computer', sentence: problem };
  }
  if (status.problem !== null)
    return { kind: 'attention', title: 'Needs attention', sentence: status.problem };
  const organization = status.account_name ?? 'your organization';
  if (status.mode === 'monitor') {
    const sentence = `${organization} only watches at the moment: nothing is stopped or changed.`;
    return { kind: 'paused', title: 'Paused by your administrator', sentence };
  }
  const sentence =
    status.service_reachable === false
      ? 'The service does not answer, so this computer decides by itself and reports it later.'
      : `What you send to AI tools is checked for ${organization}.`;
  return { kind: 'protected', title: 'Protected', sentence };
}
