import { bytes, hidden, json, number, orNull, type RecordOf, table, text } from '../table.ts';

/** The OpenID Connect provider of an organization. */
export const ssoProviderTable = table({
  organizationId: text,
  issuer: text,
  clientId: text,
  /** The claim that holds the role; null: roles are given on the members page. */
  roleClaim: orNull(text),
  /** Proven by DNS records when they were set. */
  domains: json<readonly string[]>(),
  updatedAtMs: number,
  /** null: a public client. */
  sealedSecret: hidden(orNull(bytes)),
});
export type SsoProvider = RecordOf<typeof ssoProviderTable> & { readonly clientSecret: string | null };

/** Whom a provider knows by that subject. */
export const ssoIdentityTable = table({
  issuer: text,
  subject: text,
  userId: text,
  linkedAtMs: number,
});
export type SsoIdentity = RecordOf<typeof ssoIdentityTable>;

/** What belongs to one sign-in and is made of its state, so that it need not be stored. */
export interface SsoSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A sign-in that a browser went to a provider for. */
export interface SsoSignIn {
  readonly organizationId: string;
  /** The session whose person is to be linked; null: it is a sign-in. */
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
  /** Whether any organization has one. */
  hasProviders(): Promise<boolean>;
  /** Organizations whose provider vouches for addresses of that domain. */
  findByDomain(domain: string): Promise<readonly string[]>;
  /** The DNS record that proves a domain to be the organization's. */
  domainProof(organizationId: string, domain: string): string;

  findIdentity(issuer: string, subject: string): Promise<SsoIdentity | null>;
  listIdentities(userId: string): Promise<readonly SsoIdentity[]>;
  /** Throws `conflict` where it is linked already. */
  link(identity: Omit<SsoIdentity, 'linkedAtMs'>): Promise<void>;

  /** `browser`: what only the browser that begins knows. */
  begin(input: {
    readonly organizationId: string;
    readonly browser: string;
    readonly linkSessionId: string | null;
    readonly expiresAtMs: number;
  }): Promise<SsoSecrets>;
  /** Takes it: of two who use it at once, one gets null. null too: unknown, expired, or of another browser. */
  take(state: string, browser: string, nowMs: number): Promise<SsoSignIn | null>;
  prune(nowMs: number): Promise<number>;
}
