import {
  type ChangeKeyLimits,
  type CreateKeyRequest,
  changeKeyLimitsSchema,
  createdKeySchema,
  createKeyRequestSchema,
  type DashboardKey,
  dashboardKeySchema,
  idSchema,
  type KeyRecord,
  keyRecordSchema,
  type RotateKeyRequest,
  revealedKeySchema,
  rotatedKeySchema,
  rotateKeyRequestSchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { canManageKey } from '../access/key-authority.ts';
import {
  type ChangeKeyDeps,
  changeKeyLimits,
  deleteKey,
  revealKey,
  rotateKey,
  toggleKey,
} from '../flows/change-key.ts';
import { createKey } from '../flows/create-key.ts';
import { memberOf } from '../plugins/session.ts';
import type { Key } from '../storage/storage.ts';
import { wireOf } from '../wire/wire-of.ts';
import type { Mount } from './mount.ts';

const params = Type.Object({ key_id: idSchema });
type KeyParams = Static<typeof params>;

const AREA = 'API keys';
const DEFAULT_GRACE_MINUTES = 1440;

const keyRecord = wireOf(keyRecordSchema);

/** Registers the keys of an organization. */
export const registerKeys =
  (by: Mount) =>
  (app: FastifyInstance, deps: ChangeKeyDeps): void => {
    registerKeyList(app, deps, by);
    registerKeyChanges(app, deps, by);
    registerKeySecrets(app, deps, by);
  };

const pathOf = ({ isByKey }: Mount): string => (isByKey ? '/api-keys' : '/keys');

const accessOf = (by: Mount) => by.access({ scope: 'keys', role: 'member', isByProject: true });

function registerKeyList(app: FastifyInstance, deps: ChangeKeyDeps, by: Mount): void {
  app.get(
    pathOf(by),
    {
      config: by.access({ scope: 'keys', role: 'viewer' }),
      schema: by.document(['list', 'ApiKeys'], AREA, {
        summary: 'List API keys',
        response: Type.Array(by.isByKey ? keyRecordSchema : dashboardKeySchema),
        codes: ['insufficient_role'],
      }),
    },
    async (request): Promise<KeyRecord[]> => {
      const keys = await deps.storage.keys.list(by.callerOf(request).organizationId);
      return by.isByKey ? keys.map(keyRecord) : await dashboardKeys(deps, request, keys);
    },
  );

  app.post<{ Body: CreateKeyRequest }>(
    pathOf(by),
    {
      config: accessOf(by),
      schema: by.document(['create', 'ApiKey'], AREA, {
        summary: 'Create an API key',
        description: `Only this response contains the full key, unless it is revealed later.${by.isByKey ? ' The new key expires no later than the key that creates it.' : ''}`,
        body: createKeyRequestSchema,
        response: createdKeySchema,
        codes: ['insufficient_role', 'email_not_verified', 'plan_limit_reached', 'not_found'],
      }),
    },
    (request) => createKey(by.forChange(deps, request), by.callerOf(request), request.body),
  );
}

async function dashboardKeys(
  { storage }: ChangeKeyDeps,
  request: FastifyRequest,
  keys: readonly Key[],
): Promise<DashboardKey[]> {
  const person = memberOf(request);
  const { organizationId, userId } = person;
  const [members, projectRoles] = await Promise.all([
    storage.members.list(organizationId),
    storage.members.listProjectRoles(organizationId, { userId }),
  ]);
  const names = new Map(members.map(({ userId, name, email }) => [userId, name ?? email]));
  return keys.map(
    (key): DashboardKey => ({
      ...keyRecord(key),
      created_by: names.get(key.userId ?? '') ?? null,
      can_manage: canManageKey({ ...person, projectRoles }, key),
    }),
  );
}

function registerKeyChanges(app: FastifyInstance, deps: ChangeKeyDeps, by: Mount): void {
  app.delete<{ Params: KeyParams }>(
    `${pathOf(by)}/:key_id`,
    {
      config: accessOf(by),
      schema: by.document(['delete', 'ApiKey'], AREA, {
        ...{ summary: 'Delete an API key', params, response: null, status: 204 },
        codes: ['insufficient_role', 'not_found'],
      }),
    },
    async (request, reply) => {
      await deleteKey(deps, by.callerOf(request), request.params.key_id);
      return reply.code(204).send();
    },
  );

  app.put<{ Params: KeyParams }>(
    `${pathOf(by)}/:key_id/toggle`,
    {
      config: accessOf(by),
      schema: by.document(['toggle', 'ApiKey'], AREA, {
        ...{ summary: 'Enable or disable an API key', params, response: keyRecordSchema },
        codes: ['insufficient_role', 'not_found'],
      }),
    },
    async (request) => {
      const change = by.forChange(deps, request, keyRecord);
      return keyRecord(await toggleKey(change, by.callerOf(request), request.params.key_id));
    },
  );

  app.patch<{ Params: KeyParams; Body: ChangeKeyLimits }>(
    `${pathOf(by)}/:key_id`,
    {
      config: { ...accessOf(by), preservedNulls: ['daily_token_limit'] },
      schema: by.document(['change', 'ApiKeyLimits'], AREA, {
        ...{ summary: 'Change the limits of an API key', params, body: changeKeyLimitsSchema },
        ...(by.isByKey ? { description: 'A key with limits cannot grant wider limits than its own.' } : {}),
        response: keyRecordSchema,
        codes: ['insufficient_role', 'not_found'],
      }),
    },
    async (request) => {
      const change = by.forChange(deps, request, keyRecord);
      const { key_id: keyId } = request.params;
      return keyRecord(await changeKeyLimits(change, by.callerOf(request), keyId, request.body));
    },
  );
}

function registerKeySecrets(app: FastifyInstance, deps: ChangeKeyDeps, by: Mount): void {
  app.route<{ Params: KeyParams }>({
    // The dashboard reveals by POST, so that no page and no cached link can.
    method: by.isByKey ? 'GET' : 'POST',
    url: `${pathOf(by)}/:key_id/reveal`,
    config: accessOf(by),
    schema: by.document(['reveal', 'ApiKey'], AREA, {
      summary: 'Reveal an API key',
      description: `Returns the full key again and records that in the audit log.${by.isByKey ? ' Only the person who created it and admins may reveal or change a key.' : ''}`,
      ...{ params, response: revealedKeySchema, codes: ['insufficient_role', 'not_found'] },
    }),
    handler: (request) => revealKey(deps, by.callerOf(request), request.params.key_id),
  });

  app.post<{ Params: KeyParams; Body: RotateKeyRequest | undefined }>(
    `${pathOf(by)}/:key_id/rotate`,
    {
      config: accessOf(by),
      schema: by.document(['rotate', 'ApiKey'], AREA, {
        summary: 'Rotate an API key',
        description:
          'Creates a new key with the same permissions and expiry. The old key expires at the end of the grace period.',
        ...{ params, body: rotateKeyRequestSchema, response: rotatedKeySchema },
        codes: ['insufficient_role', 'not_found', 'invalid_state'],
      }),
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    (request) =>
      rotateKey(
        by.forChange(deps, request),
        by.callerOf(request),
        request.params.key_id,
        request.body?.grace_minutes ?? DEFAULT_GRACE_MINUTES,
      ),
  );
}
