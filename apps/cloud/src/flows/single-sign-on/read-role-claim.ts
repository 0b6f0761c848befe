import type { RoleMapping } from '../../storage/storage.ts';
import { type GivenRoles, joinMappings } from '../accounts/give-roles.ts';

const NAMES = ['admin', 'member', 'auditor', 'viewer'] as const;
/** Ids of this service's groups are no values of a claim: a group of the provider can bear any name. */
const OWN_ID = /^dgrp_/;
const NONE = { role: null, inProjects: new Map() } satisfies GivenRoles;

/**
 * Returns the roles of a claim: one value, or a list of which the strongest counts. Without a role map the values are
 * names of roles; with one, only what the map lists. A value that gives nothing makes the person a viewer. If the claim
 * is absent, people of the directory keep the role that it gave them, and others are viewers.
 */
export function readRoleClaim(
  claim: unknown,
  map: readonly RoleMapping[],
  isOfDirectory: boolean,
): GivenRoles {
  const values = (Array.isArray(claim) ? claim : [claim]).filter((value) => typeof value === 'string');
  if (values.length === 0 && isOfDirectory) return NONE;
  const given = joinMappings(
    (map.length > 0 ? map : NAMED_ROLES).filter(
      ({ groupValue }) => values.includes(groupValue) && !OWN_ID.test(groupValue),
    ),
  );
  return { ...given, role: given.role ?? 'viewer' };
}

const NAMED_ROLES: readonly RoleMapping[] = NAMES.map((role) => ({
  groupValue: role,
  byName: false,
  role,
  projectId: null,
}));
