import { CodedError, type Platform } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import { requireRole, requireRoleForUpdate } from '../../access/require-role.ts';
import type { Device, Enrollment, FleetSettings, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { type DeviceState, deviceState } from './device-state.ts';

export interface FleetDeps {
  readonly storage: Pick<
    Storage,
    'devices' | 'enrollments' | 'fleetSettings' | 'members' | 'projects' | 'transaction'
  >;
  readonly clock: Clock;
}

export interface NewEnrollment {
  readonly projectId: string | null;
  readonly label?: string | null;
  readonly platform?: Platform | null;
  readonly uses?: number;
  readonly expiresAtMs?: number | null;
  /** Owner of the enrolled device; default: the creator. Only for tokens with one use. */
  readonly ownerId?: string;
}

/** Creates an enrollment token, returned only once, here. Devices from a token with several uses have no owner. */
export async function createEnrollment(
  deps: FleetDeps,
  admin: Admin,
  input: NewEnrollment,
): Promise<{ readonly enrollment: Enrollment; readonly token: string }> {
  const { organizationId } = admin;
  const uses = input.uses ?? 1;
  return deps.storage.transaction(async (repositories) => {
    // Every member may enroll their own computer.
    const isOwn = uses === 1 && input.ownerId !== undefined && input.ownerId === admin.userId;
    await requireRoleForUpdate(repositories, admin, isOwn ? 'member' : 'admin');
    if (input.projectId !== null) await findProject(repositories, admin, input.projectId);
    const made = await repositories.enrollments.create(organizationId, {
      projectId: input.projectId,
      createdBy: input.ownerId ?? admin.userId,
      label: input.label ?? null,
      isBulk: uses > 1,
      platform: input.platform ?? null,
      uses,
      expiresAtMs: input.expiresAtMs ?? null,
    });
    await repositories.audit.append({
      organizationId,
      kind: 'enrollment_created',
      actor: admin.id,
      subject: made.enrollment.id,
      data: { uses, expires_at_ms: input.expiresAtMs ?? null, platform: input.platform ?? null },
    });
    return made;
  });
}

const ENROLLMENT_STATES = ['open', 'spent', 'expired', 'revoked'] as const;
export type EnrollmentState = (typeof ENROLLMENT_STATES)[number];

export function enrollmentState(enrollment: Enrollment, nowMs: number): EnrollmentState {
  if (enrollment.revokedAtMs !== null) return 'revoked';
  if (enrollment.usesLeft <= 0) return 'spent';
  return enrollment.expiresAtMs !== null && enrollment.expiresAtMs <= nowMs ? 'expired' : 'open';
}

export async function listEnrollments(
  deps: FleetDeps,
  organizationId: string,
): Promise<readonly (Enrollment & { readonly state: EnrollmentState })[]> {
  const nowMs = deps.clock.now();
  return (await deps.storage.enrollments.list(organizationId)).map((enrollment) => ({
    ...enrollment,
    state: enrollmentState(enrollment, nowMs),
  }));
}

/** Revokes an enrollment token; devices enrolled with it stay. */
export async function revokeEnrollment(deps: FleetDeps, admin: Admin, enrollmentId: string): Promise<void> {
  await requireRole(deps, admin, 'admin');
  await revoke(deps, admin, 'enrollment', enrollmentId);
}

/** Returns all devices with their current state, newest first. */
export async function listDevices(
  deps: FleetDeps,
  organizationId: string,
): Promise<readonly (Device & { readonly state: DeviceState })[]> {
  const nowMs = deps.clock.now();
  return (await deps.storage.devices.list(organizationId)).map((device) => ({
    ...device,
    state: deviceState(device, nowMs),
  }));
}

/**
 * Revokes a device: its credential stops working and its channel is notified within a second. `forgetKeys`, if this
 * process serves requests, makes it effective for the very next one.
 */
export async function revokeDevice(
  deps: FleetDeps & { readonly forgetKeys?: () => void },
  admin: Admin,
  deviceId: string,
): Promise<void> {
  await requireRole(deps, admin, 'admin');
  await revoke(deps, admin, 'device', deviceId);
  deps.forgetKeys?.();
}

export async function changeFleetSettings(
  deps: FleetDeps,
  admin: Admin,
  change: Partial<FleetSettings>,
): Promise<FleetSettings> {
  await requireRole(deps, admin, 'admin');
  return deps.storage.transaction(async (repositories) => {
    const before = await repositories.fleetSettings.get(admin.organizationId);
    const settings = await repositories.fleetSettings.set(admin.organizationId, change);
    await repositories.audit.append({
      organizationId: admin.organizationId,
      kind: 'fleet_settings_changed',
      actor: admin.id,
      subject: admin.organizationId,
      data: {
        ...change,
        before: Object.fromEntries(
          Object.keys(change).map((name) => [name, before[name as keyof FleetSettings]]),
        ),
      },
    });
    return settings;
  });
}

async function revoke(
  deps: FleetDeps,
  admin: Admin,
  what: 'device' | 'enrollment',
  id: string,
): Promise<void> {
  const { organizationId } = admin;
  await deps.storage.transaction(async (repositories) => {
    const store = what === 'device' ? repositories.devices : repositories.enrollments;
    if (!(await store.revoke(organizationId, id))) {
      const known =
        what === 'device'
          ? await repositories.devices.get(organizationId, id)
          : (await repositories.enrollments.list(organizationId)).find((enrollment) => enrollment.id === id);
      throw known
        ? new CodedError('invalid_state', { message: `This ${what} is already revoked.` })
        : new CodedError('not_found', { message: `No such ${what}.` });
    }
    await repositories.audit.append({
      organizationId,
      kind: `${what}_revoked`,
      actor: admin.id,
      subject: id,
      data: {},
    });
  });
}
