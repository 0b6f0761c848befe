import {
  type ChangeKeyLimits,
  type CreateKeyRequest,
  changeKeyLimitsSchema,
  createdKeySchema,
  createKeyRequestSchema,
  type DashboardKey,
  dashboardKeySchema,
  type ErrorCode,
  idSchema,
  keyRecordSchema,
  type RotateKeyRequest,
  revealedKeySchema,
  rotatedKeySchema,
  rotateKeyRequestSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { canManageKey } from '../../access/key-authority.ts';
import {
  type ChangeKeyDeps,
  changeKeyLimits,
  deleteKey,
  revealKey,
  rotateKey,
  toggleKey,
} from '../../flows/change-key.ts';
import { createKey } from '../../flows/create-key.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { DEFAULT_GRACE_MINUTES, keyRecord } from '../keys.ts';
import { callerOf } from './caller-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const params = Type.Object({ key_id: idSchema });
interface KeyParams {
  key_id: string;
}
const CODES: readonly ErrorCode[] = ['not_found', 'insufficient_role'];

const config = needsRole('member', { isByProject: true });

/** Registers the developers' routes for API keys, for signed-in people. */
export function registerDashboardKeys(app: FastifyInstance, deps: ChangeKeyDeps): void {
  registerKeyList(app, deps);
  registerKeyChanges(app, deps);
}

function registerKeyList(app: FastifyInstance, deps: ChangeKeyDeps): void {
  app.get(
    '/keys',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listDashboardApiKeys',
        area: 'API keys',
        summary: 'List API keys',
        response: Type.Array(dashboardKeySchema),
      }),
    },
    async (request) => {
      const person = memberOf(request);
      const { organizationId, userId } = person;
      const [keys, members, projectRoles] = await Promise.all([
        deps.storage.keys.list(organizationId),
        deps.storage.members.list(organizationId),
        deps.storage.members.listProjectRoles(organizationId, { userId }),
      ]);
      const names = new Map(members.map(({ userId, name, email }) => [userId, name ?? email]));
      return keys.map(
        (key): DashboardKey => ({
          ...keyRecord(key),
          created_by: names.get(key.userId ?? '') ?? null,
          can_manage: canManageKey({ ...person, projectRoles }, key),
        }),
      );
    },
  );

  app.post<{ Body: CreateKeyRequest }>(
    '/keys',
    {
      config,
      schema: dashboardRoute({
        id: 'createDashboardApiKey',
        area: 'API keys',
        summary: 'Create an API key',
        description: 'Only this response contains the full key, unless it is revealed later.',
        body: createKeyRequestSchema,
        response: createdKeySchema,
        codes: [...CODES, 'email_not_verified', 'plan_limit_reached'],
      }),
    },
    (request) => createKey(deps, callerOf(request), request.body),
  );
}

function registerKeyChanges(app: FastifyInstance, deps: ChangeKeyDeps): void {
  app.delete<{ Params: KeyParams }>(
    '/keys/:key_id',
    {
      config,
      schema: dashboardRoute({
        id: 'deleteDashboardApiKey',
        area: 'API keys',
        summary: 'Delete an API key',
        params,
        response: null,
        status: 204,
        codes: CODES,
      }),
    },
    async (request, reply) => {
      await deleteKey(deps, callerOf(request), request.params.key_id);
      return reply.code(204).send();
    },
  );

  app.patch<{ Params: KeyParams; Body: ChangeKeyLimits }>(
    '/keys/:key_id',
    {
      config: { ...config, preservedNulls: ['daily_token_limit'] },
      schema: dashboardRoute({
        id: 'changeDashboardApiKeyLimits',
        area: 'API keys',
        summary: 'Change the limits of an API key',
        params,
        body: changeKeyLimitsSchema,
        response: keyRecordSchema,
        codes: CODES,
      }),
    },
    async (request) =>
      keyRecord(await changeKeyLimits(deps, callerOf(request), request.params.key_id, request.body)),
  );

  app.put<{ Params: KeyParams }>(
    '/keys/:key_id/toggle',
    {
      config,
      schema: dashboardRoute({
        id: 'toggleDashboardApiKey',
        area: 'API keys',
        summary: 'Enable or disable an API key',
        params,
        response: keyRecordSchema,
        codes: CODES,
      }),
    },
    async (request) => keyRecord(await toggleKey(deps, callerOf(request), request.params.key_id)),
  );

  app.post<{ Params: KeyParams }>(
    '/keys/:key_id/reveal',
    {
      config,
      schema: dashboardRoute({
        id: 'revealDashboardApiKey',
        area: 'API keys',
        summary: 'Reveal an API key',
        description: 'Returns the full key again and records that in the audit log.',
        params,
        response: revealedKeySchema,
        codes: CODES,
      }),
    },
    (request) => revealKey(deps, callerOf(request), request.params.key_id),
  );

  app.post<{ Params: KeyParams; Body: RotateKeyRequest }>(
    '/keys/:key_id/rotate',
    {
      config,
      schema: dashboardRoute({
        id: 'rotateDashboardApiKey',
        area: 'API keys',
        summary: 'Rotate an API key',
        description:
          'Creates a new key with the same permissions and expiry. The old key expires at the end of the grace period.',
        params,
        body: rotateKeyRequestSchema,
        response: rotatedKeySchema,
        codes: [...CODES, 'invalid_state'],
      }),
    },
    (request) =>
      rotateKey(
        deps,
        callerOf(request),
        request.params.key_id,
        request.body.grace_minutes ?? DEFAULT_GRACE_MINUTES,
      ),
  );
}
