import Type, { type Static } from 'typebox';
import { choice, nullable, nullableText, shape, timestamp } from './fields.ts';

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

export const createKeyRequestSchema = shape(
  'CreateApiKeyRequest',
  {
    name: Type.String({ minLength: 1, maxLength: 50 }),
    project_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    permissions: Type.Optional(Type.Array(permissionEnum, { description: 'Empty or absent: unrestricted.' })),
    expires_at: Type.Optional(timestamp),
  },
  { examples: [{ name: 'My app', permissions: ['proxy', 'scan'] }] },
);
export type CreateKeyRequest = Static<typeof createKeyRequestSchema>;

export const createdKeySchema = shape('CreatedApiKey', {
  key: Type.String({ description: 'The full key. Shown once here.' }),
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
});
export type CreatedKey = Static<typeof createdKeySchema>;

export const keyRecordSchema = shape('ApiKey', {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  project_id: nullableText,
  project_name: nullableText,
  permissions: Type.Array(permissionEnum),
  is_active: Type.Boolean(),
  last_used_at: nullable(timestamp),
  expires_at: nullable(timestamp),
  created_at: timestamp,
});
export type KeyRecord = Static<typeof keyRecordSchema>;

/** What people see of a key at the dashboard. */
export const dashboardKeySchema = shape('DashboardApiKey', {
  ...keyRecordSchema.properties,
  created_by: nullable(Type.String({ description: 'Name of the person who made it.' })),
  can_manage: Type.Boolean({
    description:
      'Whether whoever reads this may reveal, toggle, rotate and delete it: its maker, and admins.',
  }),
});
export type DashboardKey = Static<typeof dashboardKeySchema>;

export const revealedKeySchema = shape('RevealedApiKey', {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  key: Type.String(),
});
export type RevealedKey = Static<typeof revealedKeySchema>;

export const rotateKeyRequestSchema = shape('RotateApiKeyRequest', {
  grace_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_080,
      default: 1440,
      description: 'Minutes the old key stays valid. 0 ends it at once.',
    }),
  ),
});
export type RotateKeyRequest = Static<typeof rotateKeyRequestSchema>;

export const rotatedKeySchema = shape('RotatedApiKey', {
  ...createdKeySchema.properties,
  replaces: Type.String({ description: 'Id of the old key.' }),
  old_key_expires_at: timestamp,
});
