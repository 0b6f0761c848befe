import Type, { type Static } from 'typebox';
import { choice, nameOf, nullable, shape, timestamp, timestampOf } from './fields.ts';

export const PERMISSIONS = [
  'proxy',
  'scan',
  'agent',
  'scrape',
  'keys',
  'projects',
  'usage',
  'policies',
  'exceptions',
  'tool_requests',
] as const;
export type Permission = (typeof PERMISSIONS)[number];
export const permissionEnum = choice('Permission', PERMISSIONS);

export const KEY_PREFIX = 'svc_live_';

const allowedModels = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100, description });
const LIMIT = { minimum: 1, maximum: 1_000_000_000_000 };

export const changeKeyLimitsSchema = shape('ChangeApiKeyLimitsRequest', {
  allowed_models: Type.Optional(
    allowedModels('Models that the key may be used for. Empty: all. Absent: unchanged.'),
  ),
  daily_token_limit: Type.Optional(
    nullable(Type.Integer(LIMIT), {
      description: 'Model tokens per UTC day. null: no limit. Absent: unchanged.',
    }),
  ),
});
export type ChangeKeyLimits = Static<typeof changeKeyLimitsSchema>;

export const createKeyRequestSchema = shape(
  'CreateApiKeyRequest',
  {
    name: nameOf(50, { description: 'Your name for the key.' }),
    project_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Default: the project of the creating key.',
      }),
    ),
    permissions: Type.Optional(Type.Array(permissionEnum, { description: 'Empty or absent: unrestricted.' })),
    expires_at: Type.Optional(timestampOf('Default: when the creating key expires, or never.')),
    allowed_models: Type.Optional(
      allowedModels(
        'Models that the key may be used for. Empty or absent: those of the creating key, or all.',
      ),
    ),
    daily_token_limit: Type.Optional(
      Type.Integer({
        ...LIMIT,
        description: 'Model tokens per UTC day. Default: the limit of the creating key, if any.',
      }),
    ),
  },
  { examples: [{ name: 'My app', permissions: ['proxy', 'scan'] }] },
);
export type CreateKeyRequest = Static<typeof createKeyRequestSchema>;

export const createdKeySchema = shape('CreatedApiKey', {
  key: Type.String({ description: 'The full key. Shown once here.' }),
  id: Type.String(),
  name: Type.String({ description: 'Your name for the key.' }),
  prefix: Type.String({ description: 'The first characters of the key, to recognize it by.' }),
});
export type CreatedKey = Static<typeof createdKeySchema>;

export const keyRecordSchema = shape('ApiKey', {
  id: Type.String(),
  name: Type.String({ description: 'Your name for the key.' }),
  prefix: Type.String({ description: 'The first characters of the key, to recognize it by.' }),
  project_id: nullable(Type.String(), {
    description: 'The project that the key belongs to; null: the whole organization.',
  }),
  project_name: nullable(Type.String(), { description: 'Name of that project.' }),
  permissions: Type.Array(permissionEnum, { description: 'Empty: unrestricted.' }),
  allowed_models: allowedModels('Models that the key may be used for; empty: all.'),
  daily_token_limit: nullable(Type.Integer(), {
    description: 'Model tokens per UTC day; null: no limit.',
  }),
  is_active: Type.Boolean({
    description: 'False: requests with this key are rejected until it is enabled again.',
  }),
  last_used_at: nullable(timestamp, { description: 'Accurate to a minute; null: never.' }),
  expires_at: nullable(timestamp, { description: 'null: never.' }),
  created_at: timestamp,
});
export type KeyRecord = Static<typeof keyRecordSchema>;

/** A key as the dashboard shows it. */
export const dashboardKeySchema = shape('DashboardApiKey', {
  ...keyRecordSchema.properties,
  created_by: nullable(Type.String({ description: 'Name of the creator of the key.' })),
  can_manage: Type.Boolean({
    description: 'True if you may reveal, toggle, rotate and delete the key: its creator and admins may.',
  }),
});
export type DashboardKey = Static<typeof dashboardKeySchema>;

export const revealedKeySchema = shape('RevealedApiKey', {
  id: Type.String(),
  name: Type.String({ description: 'Your name for the key.' }),
  prefix: Type.String({ description: 'The first characters of the key, to recognize it by.' }),
  key: Type.String({ description: 'The full key.' }),
});
export type RevealedKey = Static<typeof revealedKeySchema>;

export const rotateKeyRequestSchema = shape('RotateApiKeyRequest', {
  grace_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_080,
      default: 1440,
      description: 'Minutes the old key stays valid. 0: it expires immediately.',
    }),
  ),
});
export type RotateKeyRequest = Static<typeof rotateKeyRequestSchema>;

export const rotatedKeySchema = shape('RotatedApiKey', {
  ...createdKeySchema.properties,
  replaces: Type.String({ description: 'Id of the old key.' }),
  old_key_expires_at: timestampOf('When the grace period of the old key ends.'),
});
