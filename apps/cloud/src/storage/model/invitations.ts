import { bytes, hidden, number, type RecordOf, table, text, word } from '../table.ts';
import type { Role } from './accounts.ts';

const INVITATION_STATUSES = ['open', 'accepted', 'revoked'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** `inv_…`. Its token is stored only as a hash. */
export const invitationTable = table({
  id: text,
  organizationId: text,
  email: text,
  /** `owner`: ownership of the organization is offered. */
  role: word<Role>(),
  /** Id of a user or of a directory token. */
  invitedBy: text,
  status: word<InvitationStatus>(),
  sentAtMs: number,
  expiresAtMs: number,
  createdAtMs: number,
  /** The address in the form that must be unique. */
  emailKey: hidden(text),
  tokenHash: hidden(bytes),
});
export type Invitation = RecordOf<typeof invitationTable>;

export interface Invitations {
  /** `token` is returned only here. Throws StorageError `conflict` if an invitation to this address is open. */
  create(
    organizationId: string,
    input: {
      readonly email: string;
      readonly role: Invitation['role'];
      readonly invitedBy: string;
      readonly expiresAtMs: number;
    },
  ): Promise<{ readonly invitation: Invitation; readonly token: string }>;
  /** Sets a new token and expiry; the previous token becomes invalid. null: no open invitation with this id. */
  renew(
    organizationId: string,
    invitationId: string,
    expiresAtMs: number,
  ): Promise<{ readonly invitation: Invitation; readonly token: string } | null>;
  get(organizationId: string, invitationId: string): Promise<Invitation | null>;
  /** Open invitations, newest first. */
  listOpen(organizationId: string): Promise<readonly Invitation[]>;
  /** Returns the open invitation to this address, regardless of its inviter. */
  findOpenFor(organizationId: string, email: string): Promise<Invitation | null>;
  /** Open invitations to this address in all organizations, newest first. */
  listOpenTo(email: string): Promise<readonly Invitation[]>;
  /** null: unknown, or no longer open. The caller checks the expiry. */
  findByToken(token: string): Promise<Invitation | null>;
  /** Accepts in one statement: of two concurrent callers one gets false. */
  accept(organizationId: string, invitationId: string): Promise<boolean>;
  revoke(organizationId: string, invitationId: string): Promise<boolean>;
  /** Deletes invitations to this address, regardless of their inviter. */
  forget(email: string): Promise<void>;
  /** Deletes invitations that expired before that time, in any state. */
  prune(beforeMs: number): Promise<number>;
}
