import type { Permission } from '@csg/shared/contract';
import type { Account } from './account-of.ts';

/** Who acts: the holder of a key, a device, or a person at the dashboard. */
export interface Caller {
  readonly organizationId: string;
  /** What they act in where they name no project. */
  readonly projectId: string | null;
  /** The person, where one is known: their role is asked for. */
  readonly userId: string | null;
  readonly deviceId: string | null;
  /** The key that was sent; null: a person in a browser. */
  readonly keyId: string | null;
  /** Empty: unrestricted. */
  readonly permissions: readonly Permission[];
  readonly account: Account;
  /** How the record names them: the id of the key, device or user. */
  readonly actor: string;
}

/** Who decides or administers: a person of the organization, or the operator at the command line. */
export interface Admin {
  readonly organizationId: string;
  /** How the record names them: a user's id, or `operator`. */
  readonly id: string;
  /** The person; null: none is known, and their role is not asked for. */
  readonly userId: string | null;
}
