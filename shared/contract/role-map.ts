import Type, { type Static } from 'typebox';
import { idSchema, nullable, nullableText, shape } from './fields.ts';

const group = Type.String({
  minLength: 1,
  maxLength: 256,
  description: "Id of a group (the directory's or ours), or a value of the role claim; compared exactly.",
});
const role = Type.Enum(['admin', 'member', 'auditor', 'viewer'], {
  description: 'In a project: `admin` or `member`.',
});
const byName = 'True if you confirm that a group of the directory may be recognized by this name.';

export const roleMapRequestSchema = Type.Array(
  shape('RoleMappingRequest', {
    group,
    role,
    project_id: Type.Optional(idSchema),
    by_name: Type.Optional(Type.Boolean({ description: byName })),
  }),
  {
    maxItems: 200,
    description:
      'Roles of groups, for single sign-on and SCIM; replaces the whole map. The strongest of several counts, never `owner`. With a map, the role claim gives only what the map lists.',
  },
);
export type RoleMapRequest = Static<typeof roleMapRequestSchema>;

export const roleMappingSchema = shape('RoleMapping', {
  group,
  role,
  project_id: nullable(Type.String(), { description: 'null: the role in the organization.' }),
  by_name: Type.Boolean({ description: byName }),
});
export type RoleMappingRecord = Static<typeof roleMappingSchema>;

export const directoryGroupSchema = shape('DirectoryGroup', {
  id: Type.String(),
  name: Type.String(),
  external_id: nullableText,
  members: Type.Integer(),
});
export type DirectoryGroupRecord = Static<typeof directoryGroupSchema>;

export const roleSourceEnum = Type.Enum(['assigned', 'claim', 'groups'], {
  description: 'Assigned by a person, by the claim of single sign-on, or by groups of the directory (SCIM).',
});
