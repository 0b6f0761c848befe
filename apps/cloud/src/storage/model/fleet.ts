import type { Platform } from '@csg/shared/contract';

/** `enr_…`. What may become devices: the token itself is stored only as a hash. */
export interface Enrollment {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly createdBy: string | null;
  readonly label: string | null;
  /** Bulk: its devices carry only a text label and belong to no person. */
  readonly isBulk: boolean;
  /** null: any. */
  readonly platform: Platform | null;
  readonly usesLeft: number;
  readonly usesTotal: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly createdAtMs: number;
}

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

export const SUPERVISOR_STATES = ['quiet', 'retrying', 'gave_up'] as const;
export type SupervisorState = (typeof SUPERVISOR_STATES)[number];

/** `dev_…` */
export interface Device {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly enrollmentId: string | null;
  readonly name: string;
  readonly platform: Platform;
  readonly coverage: 'proxy' | 'extension';
  /** The person it is bound to; null: only the label. */
  readonly userId: string | null;
  readonly endUserLabel: string | null;
  readonly agentVersion: string | null;
  readonly proxyRestarts: number | null;
  readonly supervisorState: SupervisorState | null;
  readonly lastSeenAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly createdAtMs: number;
}

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
      readonly atMs: number;
    },
  ): Promise<Device | null>;
  /** Marks it and deletes its credentials, both or neither. false: no such device, or revoked before. */
  revoke(organizationId: string, deviceId: string): Promise<boolean>;
  /** The devices bound to a person in one organization; returns their ids. Labelled (bulk) ones stay. */
  revokeByMember(organizationId: string, userId: string): Promise<readonly string[]>;
}
