/** `unreachable`: no response. `refused`: a response that cannot be trusted, or that rejects the sign-in. */
export class IdentityProviderError extends Error {
  readonly kind: 'unreachable' | 'refused';

  constructor(kind: 'unreachable' | 'refused', cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'IdentityProviderError';
    this.kind = kind;
  }
}
