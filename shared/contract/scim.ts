import Type, { type Static } from 'typebox';
import { shape, timestamp } from './fields.ts';

/** SCIM 2.0 (RFC 7643, RFC 7644), as far as it is supported: users, groups, and the discovery endpoints. */
export const SCIM = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
} as const;

export const SCIM_TYPE = 'application/scim+json';

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const nameSchema = shape('ScimName', { givenName: text(100), familyName: text(100), formatted: text(200) });

/** A user as a directory sends it. Attributes that are not stored are ignored, as RFC 7644, section 3.3, allows. */
export const scimUserRequestSchema = shape('ScimUserRequest', {
  schemas: Type.Optional(Type.Array(Type.String())),
  userName: Type.String({ minLength: 1, maxLength: 254 }),
  externalId: text(200),
  name: Type.Optional(nameSchema),
  active: Type.Optional(
    Type.Union([Type.Boolean(), Type.String({ maxLength: 5 })], {
      description: 'Some directories send `"True"` or `"False"`.',
    }),
  ),
});
export type ScimUserRequest = Static<typeof scimUserRequestSchema>;

export const scimPatchRequestSchema = shape('ScimPatchRequest', {
  schemas: Type.Optional(Type.Array(Type.String())),
  Operations: Type.Array(
    Type.Object({
      op: Type.String({ maxLength: 20 }),
      path: text(200),
      value: Type.Optional(Type.Unknown()),
    }),
    { minItems: 1, maxItems: 5_000 },
  ),
});
export type ScimPatchRequest = Static<typeof scimPatchRequestSchema>;

export const scimUserSchema = shape('ScimUser', {
  schemas: Type.Array(Type.String()),
  id: Type.String(),
  externalId: Type.Optional(Type.String()),
  userName: Type.String(),
  name: Type.Optional(nameSchema),
  emails: Type.Array(Type.Object({ value: Type.String(), type: Type.String(), primary: Type.Boolean() })),
  active: Type.Boolean(),
  meta: Type.Object({
    resourceType: Type.String(),
    created: timestamp,
    lastModified: timestamp,
    location: Type.String(),
  }),
});
export type ScimUser = Static<typeof scimUserSchema>;

/** Larger groups are sent in several requests. */
export const MAX_GROUP_MEMBERS = 20_000;

/** A group as a directory sends it; the members' names and addresses are not read. */
export const scimGroupRequestSchema = shape('ScimGroupRequest', {
  schemas: Type.Optional(Type.Array(Type.String())),
  displayName: Type.String({ minLength: 1, maxLength: 256 }),
  externalId: text(200),
  members: Type.Optional(
    Type.Array(Type.Object({ value: Type.String({ minLength: 1, maxLength: 200 }) }), {
      maxItems: MAX_GROUP_MEMBERS,
    }),
  ),
});
export type ScimGroupRequest = Static<typeof scimGroupRequestSchema>;

export const scimGroupSchema = shape('ScimGroup', {
  schemas: Type.Array(Type.String()),
  id: Type.String(),
  externalId: Type.Optional(Type.String()),
  displayName: Type.String(),
  members: Type.Optional(
    Type.Array(
      // A property named `$ref` would be read as a reference in the OpenAPI document.
      Type.Object(
        { value: Type.String(), display: Type.String(), type: Type.Literal('User') },
        { additionalProperties: true, description: 'Also has `$ref`, the address of the user.' },
      ),
    ),
  ),
  meta: Type.Object({
    resourceType: Type.String(),
    created: timestamp,
    lastModified: timestamp,
    location: Type.String(),
  }),
});
export type ScimGroup = Static<typeof scimGroupSchema>;

export const scimGroupListSchema = shape('ScimGroupList', {
  schemas: Type.Array(Type.String()),
  totalResults: Type.Integer(),
  startIndex: Type.Integer(),
  itemsPerPage: Type.Integer(),
  Resources: Type.Array(scimGroupSchema),
});
export type ScimGroupList = Static<typeof scimGroupListSchema>;

export const scimListSchema = shape('ScimUserList', {
  schemas: Type.Array(Type.String()),
  totalResults: Type.Integer(),
  startIndex: Type.Integer(),
  itemsPerPage: Type.Integer(),
  Resources: Type.Array(scimUserSchema),
});
export type ScimList = Static<typeof scimListSchema>;

/** RFC 7644, section 3.12. */
export function scimError(status: number, detail: string, scimType?: string): Static<typeof scimErrorSchema> {
  const type = scimType === undefined ? {} : { scimType };
  return { schemas: [SCIM.error], status: String(status), detail, ...type };
}

export const scimErrorSchema = shape('ScimError', {
  schemas: Type.Array(Type.String()),
  status: Type.String(),
  detail: Type.String(),
  scimType: Type.Optional(Type.String()),
});
