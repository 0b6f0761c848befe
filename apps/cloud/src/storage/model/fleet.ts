import type { Heartbeat, Platform } from '@csg/shared/contract';
import { bytes, flag, hidden, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** `enr_…`. What may become devices: the token itself is stored only as a hash. */
export const enrollmentTable = table({
  id: text,
  organizationId: text,
  projectId: orNull(text),
  createdBy: orNull(text),
  label: orNull(text),
  /** Bulk: its devices carry only a text label and belong to no person. */
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
  /** `token` is shown once, here. */
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
  /** Takes one use in one statement. null: unknown, spent, expired, revoked or of another platform. */
  spend(token: string, platform: Platform, nowMs: number): Promise<Enrollment | null>;
  list(organizationId: string): Promise<readonly Enrollment[]>;
  /** false: no such enrollment, or revoked before. */
  revoke(organizationId: string, enrollmentId: string): Promise<boolean>;
  /** Those a person made in one organization that would bind devices to them; returns their ids. Bulk ones stay. */
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
  /** The person it is bound to; null: only the label. */
  userId: orNull(text),
  endUserLabel: orNull(text),
  agentVersion: orNull(text),
  proxyRestarts: orNull(number),
  supervisorState: orNull(word<SupervisorState>()),
  /** Whether apps are led through its proxy; null: it does not say. */
  systemProxy: orNull(word<SystemProxyState>()),
  /** Hosts that it cannot read until an administrator has it trust another certificate. */
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
  /** Its owner; null: none. false: no such device. */
  assign(organizationId: string, deviceId: string, userId: string | null): Promise<boolean>;
  /** Marks it and deletes its credentials, both or neither. false: no such device, or revoked before. */
  revoke(organizationId: string, deviceId: string): Promise<boolean>;
  /** The devices bound to a person in one organization; returns their ids. Labelled (bulk) ones stay. */
  revokeByMember(organizationId: string, userId: string): Promise<readonly string[]>;
}
