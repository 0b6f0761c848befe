import type { EmailTrust } from '@csg/shared/contract';
import { bytes, hidden, json, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** The OpenID Connect provider of an organization. */
export const ssoProviderTable = table({
  organizationId: text,
  issuer: text,
  clientId: text,
  /** The claim with the role; null: roles are assigned on the members page. */
  roleClaim: orNull(text),
  /** Verified by DNS records when they were set. */
  domains: json<readonly string[]>(),
  emailTrust: word<EmailTrust>(),
  updatedAtMs: number,
  /** null: a public client. */
  sealedSecret: hidden(orNull(bytes)),
});
export type SsoProvider = RecordOf<typeof ssoProviderTable> & { readonly clientSecret: string | null };

/** The user that a provider identifies by this subject. */
export const ssoIdentityTable = table({
  issuer: text,
  subject: text,
  userId: text,
  linkedAtMs: number,
});
export type SsoIdentity = RecordOf<typeof ssoIdentityTable>;

/** Values of one sign-in, derived from its state so that they need not be stored. */
export interface SsoSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A sign-in that was started at a provider. */
export interface SsoSignIn {
  readonly organizationId: string;
  /** The session whose user is to be linked; null: this is a sign-in. */
  readonly linkSessionId: string | null;
  readonly secrets: SsoSecrets;
}

export interface SingleSignOn {
  getProvider(organizationId: string): Promise<SsoProvider | null>;
  setProvider(
    organizationId: string,
    provider: Omit<SsoProvider, 'organizationId' | 'updatedAtMs'>,
  ): Promise<void>;
  /** false: there is none. */
  removeProvider(organizationId: string): Promise<boolean>;
  /** True if any organization has a provider. */
  hasProviders(): Promise<boolean>;
  /** Organizations whose provider authenticates addresses of that domain. */
  findByDomain(domain: string): Promise<readonly string[]>;
  /** Returns the DNS record that verifies the organization's ownership of a domain. */
  domainProof(organizationId: string, domain: string): string;

  findIdentity(issuer: string, subject: string): Promise<SsoIdentity | null>;
  listIdentities(userId: string): Promise<readonly SsoIdentity[]>;
  /** Throws `conflict` if it is already linked. */
  link(identity: Omit<SsoIdentity, 'linkedAtMs'>): Promise<void>;

  /** `browser` is a secret of the browser that begins the sign-in. */
  begin(input: {
    readonly organizationId: string;
    readonly browser: string;
    readonly linkSessionId: string | null;
    readonly expiresAtMs: number;
  }): Promise<SsoSecrets>;
  /** Uses up the state: of two concurrent callers one gets null. Also null: unknown, expired, or another browser. */
  take(state: string, browser: string, nowMs: number): Promise<SsoSignIn | null>;
  prune(nowMs: number): Promise<number>;
}
