import {
  CodedError,
  type CreatedEnrollment,
  type CreateEnrollment,
  type CreateOwnEnrollment,
  createdEnrollmentSchema,
  createEnrollmentSchema,
  createOwnEnrollmentSchema,
  type EnrollmentRecord,
  enrollmentRecordSchema,
  idSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { findMemberByEmail } from '../../flows/devices/device-owners.ts';
import {
  createEnrollment,
  type EnrollmentState,
  enrollmentState,
  type FleetDeps,
  listEnrollments,
  revokeEnrollment,
} from '../../flows/devices/manage-devices.ts';
import type { Links } from '../../flows/links.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Enrollment } from '../../storage/storage.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = 24;

/** Registers tokens that enroll devices. */
export function registerEnrollments(
  app: FastifyInstance,
  deps: FleetDeps & { readonly links: Pick<Links, 'service'> },
): void {
  app.get(
    '/enrollments',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'listEnrollments',
        area: 'Devices',
        summary: 'List enrollment tokens',
        response: Type.Array(enrollmentRecordSchema),
      }),
    },
    async (request) =>
      (await listEnrollments(deps, memberOf(request).organizationId)).map((one) => record(one, one.state)),
  );
  app.post<{ Body: CreateEnrollment }>(
    '/enrollments',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'createEnrollment',
        area: 'Devices',
        summary: 'Create an enrollment token',
        description:
          'A token with one use assigns the device to you or to the named member, and the device is revoked when they leave. With more uses, devices have only the label. The token is shown once.',
        body: createEnrollmentSchema,
        response: createdEnrollmentSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => {
      const input = request.body;
      const nowMs = deps.clock.now();
      const admin = memberOf(request);
      const uses = input.uses ?? 1;
      if (uses > 1 && input.user_email !== undefined) {
        throw new CodedError('invalid_state', {
          message: 'A token for several devices belongs to no person: leave out user_email.',
        });
      }
      const owner =
        input.user_email === undefined
          ? null
          : await findMemberByEmail(deps.storage, admin.organizationId, input.user_email);
      const made = await createEnrollment(deps, admin, {
        projectId: input.project_id,
        label: input.label || null,
        platform: input.platform ?? null,
        uses,
        expiresAtMs: nowMs + (input.expires_in_hours ?? DEFAULT_HOURS) * HOUR_MS,
        ...(owner !== null && { ownerId: owner.userId }),
      });
      return created(made, deps.links.service(), nowMs);
    },
  );
  registerOwnEnrollments(app, deps);
  app.post<{ Params: { enrollment_id: string } }>(
    '/enrollments/:enrollment_id/revoke',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'revokeEnrollment',
        area: 'Devices',
        summary: 'Revoke an enrollment token',
        description: 'The token can no longer be used; devices enrolled with it are kept.',
        params: Type.Object({ enrollment_id: idSchema }),
        response: null,
        status: 204,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request, reply) => {
      await revokeEnrollment(deps, memberOf(request), request.params.enrollment_id);
      return reply.code(204).send();
    },
  );
}

function registerOwnEnrollments(
  app: FastifyInstance,
  deps: FleetDeps & { readonly links: Pick<Links, 'service'> },
): void {
  app.post<{ Body: CreateOwnEnrollment }>(
    '/own-enrollments',
    {
      config: needsRole('member'),
      schema: dashboardRoute({
        id: 'createOwnEnrollment',
        area: 'Devices',
        summary: 'Create a token that enrolls your own computer',
        description:
          'The token enrolls one device, which belongs to you, and expires after 24 hours. It is shown once.',
        body: createOwnEnrollmentSchema,
        response: createdEnrollmentSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => {
      const nowMs = deps.clock.now();
      const member = memberOf(request);
      const made = await createEnrollment(deps, member, {
        projectId: request.body.project_id,
        platform: request.body.platform ?? null,
        uses: 1,
        expiresAtMs: nowMs + DEFAULT_HOURS * HOUR_MS,
        ownerId: member.userId,
      });
      return created(made, deps.links.service(), nowMs);
    },
  );
}

function created(
  { enrollment, token }: { readonly enrollment: Enrollment; readonly token: string },
  server: string,
  nowMs: number,
): CreatedEnrollment {
  return {
    enrollment: record(enrollment, enrollmentState(enrollment, nowMs)),
    token,
    link: `csg://enroll?${new URLSearchParams({ server, token })}`,
    command: `npm run -s agent -- enroll --server ${server} --token-stdin`,
    managed_file: { server, token },
  };
}

const shownEnrollment = wireOf(enrollmentRecordSchema, 'state', 'uses');

function record(enrollment: Enrollment, state: EnrollmentState): EnrollmentRecord {
  return { ...shownEnrollment(enrollment), state, uses: enrollment.usesTotal };
}
