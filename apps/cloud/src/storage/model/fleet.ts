import type { Heartbeat, Platform } from '@csg/shared/contract';
import { bytes, flag, hidden, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** `enr_…`. An enrollment of one or more devices; its token is stored only as a hash. */
export const enrollmentTable = table({
  id: text,
  organizationId: text,
  projectId: orNull(text),
  createdBy: orNull(text),
  label: orNull(text),
  /** Bulk: its devices have a text label only and belong to no user. */
  isBulk: flag,
  /** null: any. */
  platform: orNull(word<Platform>()),
  usesLeft: number,
  usesTotal: number,
  expiresAtMs: orNull(number),
  revokedAtMs: orNull(number),
  createdAtMs: number,
  tokenHash: hidden(bytes),
});
export type Enrollment = RecordOf<typeof enrollmentTable>;

export interface Enrollments {
  /** `token` is returned only here. */
  create(
    organizationId: string,
    input: {
      readonly projectId?: string | null;
      readonly createdBy?: string | null;
      readonly label?: string | null;
      readonly isBulk?: boolean;
      readonly platform?: Platform | null;
      /** Default 1. */
      readonly uses?: number;
      readonly expiresAtMs?: number | null;
    },
  ): Promise<{ readonly enrollment: Enrollment; readonly token: string }>;
  /** Takes one use in one statement. null: unknown, used up, expired, revoked or for another platform. */
  spend(token: string, platform: Platform, nowMs: number): Promise<Enrollment | null>;
  list(organizationId: string): Promise<readonly Enrollment[]>;
  /** false: no such enrollment, or already revoked. */
  revoke(organizationId: string, enrollmentId: string): Promise<boolean>;
  /** Revokes a person's enrollments in one organization that are not bulk; returns their ids. */
  revokeByMember(organizationId: string, userId: string): Promise<readonly string[]>;
}

const SUPERVISOR_STATES = ['quiet', 'retrying', 'gave_up'] as const;
export type SupervisorState = (typeof SUPERVISOR_STATES)[number];

type SystemProxyState = NonNullable<Heartbeat['system_proxy']>;

/** `dev_…` */
export const deviceTable = table({
  id: text,
  organizationId: text,
  projectId: orNull(text),
  enrollmentId: orNull(text),
  name: text,
  platform: word<Platform>(),
  coverage: word<'proxy' | 'extension'>(),
  /** The user the device is assigned to; null: it has only a label. */
  userId: orNull(text),
  endUserLabel: orNull(text),
  agentVersion: orNull(text),
  proxyRestarts: orNull(number),
  supervisorState: orNull(word<SupervisorState>()),
  /** Whether its proxy is the system proxy; null: not reported. */
  systemProxy: orNull(word<SystemProxyState>()),
  /** Hosts it cannot inspect until an administrator makes the device trust another certificate. */
  needsAdministrator: jsonOr<readonly string[]>([]),
  lastSeenAtMs: orNull(number),
  revokedAtMs: orNull(number),
  createdAtMs: number,
});
export type Device = RecordOf<typeof deviceTable>;

export interface Devices {
  insert(
    organizationId: string,
    input: {
      readonly projectId?: string | null;
      readonly enrollmentId?: string | null;
      readonly name: string;
      readonly platform: Platform;
      readonly coverage?: 'proxy' | 'extension';
      readonly userId?: string | null;
      readonly endUserLabel?: string | null;
    },
  ): Promise<Device>;
  get(organizationId: string, deviceId: string): Promise<Device | null>;
  /** Newest first. */
  list(organizationId: string): Promise<readonly Device[]>;
  /** null: no such device. */
  recordHeartbeat(
    organizationId: string,
    deviceId: string,
    heartbeat: {
      readonly agentVersion: string;
      readonly proxyRestarts: number;
      readonly supervisorState: SupervisorState;
      readonly systemProxy?: SystemProxyState | null;
      readonly needsAdministrator?: readonly string[];
      readonly atMs: number;
    },
  ): Promise<Device | null>;
  /** `userId`: the new owner; null: none. false: no such device. */
  assign(organizationId: string, deviceId: string, userId: string | null): Promise<boolean>;
  /** Marks it as revoked and deletes its credentials, atomically. false: no such device, or already revoked. */
  revoke(organizationId: string, deviceId: string): Promise<boolean>;
  /** Revokes the devices assigned to a person in one organization; returns their ids. Labeled (bulk) devices stay. */
  revokeByMember(organizationId: string, userId: string): Promise<readonly string[]>;
}
