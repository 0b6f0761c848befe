/** Why a URL is not fetched. A closed list; callers word it for their users with REFUSALS. */
export const DENY_REASONS = {
  not_a_url: 'This is not an http or https address.',
  scheme: 'Only http and https addresses are allowed.',
  credentials: 'Addresses with a user name or password are not allowed.',
  port: 'This port is not allowed.',
  private_name: 'This host name belongs to a private network.',
  private_address: 'This address is not on the public internet.',
  unresolvable: 'The host name could not be resolved.',
} as const;
export type DenyReason = keyof typeof DENY_REASONS;

export class AddressDenied extends Error {
  readonly reason: DenyReason;
  constructor(reason: DenyReason, cause?: unknown) {
    super(DENY_REASONS[reason], cause === undefined ? undefined : { cause });
    this.name = 'AddressDenied';
    this.reason = reason;
  }
}
