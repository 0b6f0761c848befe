import type { Permission } from '@csg/shared/contract';
import type { Account } from './account-of.ts';

/** The acting party: the holder of a key, a device, or a person in the dashboard. */
export interface Caller {
  readonly organizationId: string;
  /** The project used if the request names none. */
  readonly projectId: string | null;
  /** The person whose role is checked, if known. */
  readonly userId: string | null;
  readonly deviceId: string | null;
  /** The key that was sent; null for a person in a browser. */
  readonly keyId: string | null;
  /** Empty: unrestricted. */
  readonly permissions: readonly Permission[];
  readonly account: Account;
  /** Name in audit records: the id of the key, device or user. */
  readonly actor: string;
}

/** The person who decides or administers: a member of the organization, or the operator at the command line. */
export interface Admin {
  readonly organizationId: string;
  /** Name in audit records: a user's id, or `operator`. */
  readonly id: string;
  /** The person whose role is checked; null if none is known, so that no role is checked. */
  readonly userId: string | null;
  /** An organization token acts for the person. */
  readonly isByToken?: boolean;
}
