import { SCIM } from '@csg/shared/contract';

const text = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const meta = (resourceType: string, location: string) => ({ resourceType, location });

/** RFC 7643, section 5: capabilities of this service. */
export function serviceProviderConfig(base: string): object {
  const no = { supported: false };
  return {
    schemas: [SCIM.config],
    patch: { supported: true },
    bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Directory token',
        description:
          'A directory token of the organization, created in the dashboard, as "Authorization: Bearer".',
        primary: true,
      },
    ],
    meta: meta('ServiceProviderConfig', `${base}/ServiceProviderConfig`),
  };
}

/** RFC 7643, section 6. */
export function userResourceType(base: string): object {
  return {
    schemas: [SCIM.resourceType],
    id: 'User',
    name: 'User',
    description: 'A member of the organization, or a user that the directory deactivated.',
    endpoint: '/Users',
    schema: SCIM.user,
    meta: meta('ResourceType', `${base}/ResourceTypes/User`),
  };
}

export function groupResourceType(base: string): object {
  return {
    schemas: [SCIM.resourceType],
    id: 'Group',
    name: 'Group',
    description: 'A group of the directory. It gives roles by the role map of the organization.',
    endpoint: '/Groups',
    schema: SCIM.group,
    meta: meta('ResourceType', `${base}/ResourceTypes/Group`),
  };
}

export function groupSchema(base: string): object {
  return {
    schemas: [SCIM.schema],
    id: SCIM.group,
    name: 'Group',
    description: 'A group',
    attributes: [
      text('displayName', { required: true, uniqueness: 'server' }),
      text('externalId', { caseExact: true, uniqueness: 'server' }),
      {
        name: 'members',
        type: 'complex',
        multiValued: true,
        required: false,
        mutability: 'readWrite',
        returned: 'default',
        subAttributes: [
          text('value', { mutability: 'immutable' }),
          text('display', { mutability: 'readOnly' }),
          text('type', { mutability: 'immutable', canonicalValues: ['User'] }),
        ],
      },
    ],
    meta: meta('Schema', `${base}/Schemas/${SCIM.group}`),
  };
}

/** RFC 7643, section 7: the stored attributes. */
export function userSchema(base: string): object {
  return {
    schemas: [SCIM.schema],
    id: SCIM.user,
    name: 'User',
    description: 'A person',
    attributes: [
      text('userName', { required: true, mutability: 'immutable', uniqueness: 'server' }),
      text('externalId', { caseExact: true }),
      {
        name: 'name',
        type: 'complex',
        multiValued: false,
        required: false,
        mutability: 'readWrite',
        returned: 'default',
        subAttributes: [text('givenName'), text('familyName')],
      },
      {
        name: 'emails',
        type: 'complex',
        multiValued: true,
        required: false,
        mutability: 'readOnly',
        returned: 'default',
        subAttributes: [text('value', { mutability: 'readOnly' })],
      },
      { ...text('active'), type: 'boolean' },
    ],
    meta: meta('Schema', `${base}/Schemas/${SCIM.user}`),
  };
}

/** Returns a complete list (RFC 7644, section 3.4.2). */
export function wholeList(resources: readonly object[]): object {
  return {
    schemas: [SCIM.list],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
