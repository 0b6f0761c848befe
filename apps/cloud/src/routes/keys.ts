import {
  type ChangeKeyLimits,
  type CreateKeyRequest,
  changeKeyLimitsSchema,
  createdKeySchema,
  createKeyRequestSchema,
  type ErrorCode,
  idSchema,
  keyRecordSchema,
  type RotateKeyRequest,
  revealedKeySchema,
  rotatedKeySchema,
  rotateKeyRequestSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import {
  type ChangeKeyDeps,
  changeKeyLimits,
  deleteKey,
  revealKey,
  rotateKey,
  toggleKey,
} from '../flows/change-key.ts';
import { createKey } from '../flows/create-key.ts';
import { principalOf } from '../plugins/auth.ts';
import { withStoredResponse } from '../plugins/idempotency.ts';
import { needsScope } from '../plugins/route-access.ts';
import { wireOf } from '../wire/wire-of.ts';
import { documented } from './documented.ts';

const keyParams = Type.Object({ key_id: idSchema });
type KeyParams = Static<typeof keyParams>;

const TAG = 'API keys';
const CODES: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key', 'insufficient_role'];
export const DEFAULT_GRACE_MINUTES = 1440;

const config = needsScope('keys');

export function registerKeys(app: FastifyInstance, deps: ChangeKeyDeps): void {
  registerKeyList(app, deps);
  registerKeyState(app, deps);
  registerKeyLimits(app, deps);
  registerKeySecrets(app, deps);
}

function registerKeyList(app: FastifyInstance, deps: ChangeKeyDeps): void {
  app.get(
    '/api-keys',
    {
      config,
      schema: documented({
        tag: TAG,
        id: 'listApiKeys',
        summary: 'List API keys',
        response: Type.Array(keyRecordSchema),
        codes: CODES,
      }),
    },
    async (request) => {
      const keys = await deps.storage.keys.list(principalOf(request).organizationId);
      return keys.map(keyRecord);
    },
  );

  app.post<{ Body: CreateKeyRequest }>(
    '/api-keys',
    {
      config,
      schema: documented({
        tag: TAG,
        id: 'createApiKey',
        summary: 'Create an API key',
        description:
          'Only this response contains the full key, unless it is revealed later. The new key expires no later than the key that creates it.',
        body: createKeyRequestSchema,
        response: createdKeySchema,
        codes: [...CODES, 'email_not_verified', 'plan_limit_reached', 'not_found'],
      }),
    },
    (request) => createKey(withStoredResponse(deps, request), principalOf(request), request.body),
  );
}

function registerKeyState(app: FastifyInstance, deps: ChangeKeyDeps): void {
  app.delete<{ Params: KeyParams }>(
    '/api-keys/:key_id',
    {
      config,
      schema: documented({
        tag: TAG,
        id: 'deleteApiKey',
        summary: 'Delete an API key',
        params: keyParams,
        response: null,
        status: 204,
        codes: [...CODES, 'not_found'],
      }),
    },
    async (request, reply) => {
      await deleteKey(deps, principalOf(request), request.params.key_id);
      return reply.code(204).send();
    },
  );

  app.put<{ Params: KeyParams }>(
    '/api-keys/:key_id/toggle',
    {
      config,
      schema: documented({
        tag: TAG,
        id: 'toggleApiKey',
        summary: 'Enable or disable an API key',
        params: keyParams,
        response: keyRecordSchema,
        codes: [...CODES, 'not_found'],
      }),
    },
    async (request) =>
      keyRecord(
        await toggleKey(
          withStoredResponse(deps, request, keyRecord),
          principalOf(request),
          request.params.key_id,
        ),
      ),
  );
}

function registerKeyLimits(app: FastifyInstance, deps: ChangeKeyDeps): void {
  app.patch<{ Params: KeyParams; Body: ChangeKeyLimits }>(
    '/api-keys/:key_id',
    {
      config: { ...config, preservedNulls: ['daily_token_limit'] },
      schema: documented({
        tag: TAG,
        id: 'changeApiKeyLimits',
        summary: 'Change the limits of an API key',
        description: 'A key with limits cannot grant wider limits than its own.',
        params: keyParams,
        body: changeKeyLimitsSchema,
        response: keyRecordSchema,
        codes: [...CODES, 'not_found'],
      }),
    },
    async (request) =>
      keyRecord(
        await changeKeyLimits(
          withStoredResponse(deps, request, keyRecord),
          principalOf(request),
          request.params.key_id,
          request.body,
        ),
      ),
  );
}

function registerKeySecrets(app: FastifyInstance, deps: ChangeKeyDeps): void {
  app.get<{ Params: KeyParams }>(
    '/api-keys/:key_id/reveal',
    {
      config,
      schema: documented({
        tag: TAG,
        id: 'revealApiKey',
        summary: 'Reveal an API key',
        description:
          'Returns the full key again and records that in the audit log. Only the person who created it and admins may reveal or change a key.',
        params: keyParams,
        response: revealedKeySchema,
        codes: [...CODES, 'not_found'],
      }),
    },
    (request) => revealKey(deps, principalOf(request), request.params.key_id),
  );

  app.post<{ Params: KeyParams; Body: RotateKeyRequest | undefined }>(
    '/api-keys/:key_id/rotate',
    {
      config,
      schema: documented({
        tag: TAG,
        id: 'rotateApiKey',
        summary: 'Rotate an API key',
        description:
          'Creates a new key with the same permissions and expiry. The old key expires at the end of the grace period.',
        params: keyParams,
        body: rotateKeyRequestSchema,
        response: rotatedKeySchema,
        codes: [...CODES, 'not_found', 'invalid_state'],
      }),
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    (request) =>
      rotateKey(
        withStoredResponse(deps, request),
        principalOf(request),
        request.params.key_id,
        request.body?.grace_minutes ?? DEFAULT_GRACE_MINUTES,
      ),
  );
}

export const keyRecord = wireOf(keyRecordSchema);
