import {
  type CreateEnrollment,
  createdEnrollmentSchema,
  createEnrollmentSchema,
  type EnrollmentRecord,
  enrollmentRecordSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
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

/** Tokens that enroll machines. */
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
          'For one device, the device is assigned to you; for more, devices have only the label. The token is shown once.',
        body: createEnrollmentSchema,
        response: createdEnrollmentSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => {
      const input = request.body;
      const nowMs = deps.clock.now();
      const { enrollment, token } = await createEnrollment(deps, memberOf(request), {
        projectId: input.project_id,
        label: input.label || null,
        platform: input.platform ?? null,
        uses: input.uses ?? 1,
        expiresAtMs: nowMs + (input.expires_in_hours ?? DEFAULT_HOURS) * HOUR_MS,
      });
      const server = deps.links.service();
      return {
        enrollment: record(enrollment, enrollmentState(enrollment, nowMs)),
        token,
        link: `csg://enroll?${new URLSearchParams({ server, token })}`,
        command: `npm run -s agent -- enroll --server ${server} --token-stdin`,
        managed_file: { server, token },
      };
    },
  );
  app.post<{ Params: { enrollment_id: string } }>(
    '/enrollments/:enrollment_id/revoke',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'revokeEnrollment',
        area: 'Devices',
        summary: 'Revoke an enrollment token',
        description: 'It no longer enrolls; devices enrolled with it are kept.',
        params: Type.Object({ enrollment_id: Type.String({ maxLength: 64 }) }),
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

const shownEnrollment = wireOf(enrollmentRecordSchema, 'state', 'uses');

function record(enrollment: Enrollment, state: EnrollmentState): EnrollmentRecord {
  return { ...shownEnrollment(enrollment), state, uses: enrollment.usesTotal };
}
