import { bytes, hidden, number, type RecordOf, table, text, word } from '../table.ts';
import type { Role } from './accounts.ts';

const INVITATION_STATUSES = ['open', 'accepted', 'revoked'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** `inv_…`. Its token is stored only as a hash. */
export const invitationTable = table({
  id: text,
  organizationId: text,
  email: text,
  /** `owner`: the organization itself is offered. */
  role: word<Role>(),
  /** A person's id, or that of a directory's token. */
  invitedBy: text,
  status: word<InvitationStatus>(),
  sentAtMs: number,
  expiresAtMs: number,
  createdAtMs: number,
  /** What makes the address unique. */
  emailKey: hidden(text),
  tokenHash: hidden(bytes),
});
export type Invitation = RecordOf<typeof invitationTable>;

export interface Invitations {
  /** `token` is told once, here. Throws StorageError `conflict` where one is open for this address. */
  create(
    organizationId: string,
    input: {
      readonly email: string;
      readonly role: Invitation['role'];
      readonly invitedBy: string;
      readonly expiresAtMs: number;
    },
  ): Promise<{ readonly invitation: Invitation; readonly token: string }>;
  /** A new token and end; the token before is worthless. null: no open invitation of this id. */
  renew(
    organizationId: string,
    invitationId: string,
    expiresAtMs: number,
  ): Promise<{ readonly invitation: Invitation; readonly token: string } | null>;
  get(organizationId: string, invitationId: string): Promise<Invitation | null>;
  /** Open ones, newest first. */
  listOpen(organizationId: string): Promise<readonly Invitation[]>;
  /** Open ones for this address, from any inviter. */
  findOpenFor(organizationId: string, email: string): Promise<Invitation | null>;
  /** Open ones for this address in all organizations, newest first. */
  listOpenTo(email: string): Promise<readonly Invitation[]>;
  /** null: unknown, or not open any more. Whether it has expired is the caller's to say. */
  findByToken(token: string): Promise<Invitation | null>;
  /** In one statement: of two who accept it at once, one gets false. */
  accept(organizationId: string, invitationId: string): Promise<boolean>;
  revoke(organizationId: string, invitationId: string): Promise<boolean>;
  /** Deletes those to this address, from any inviter. */
  forget(email: string): Promise<void>;
  /** Deletes those that ended before, answered or not. */
  prune(beforeMs: number): Promise<number>;
}
