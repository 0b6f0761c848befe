import type { Role } from '../../data/session.ts';

export const ROLE_LABELS: Readonly<Record<Role, { readonly name: string; readonly about: string }>> = {
  owner: { name: 'Owner', about: 'Full access' },
  admin: { name: 'Admin', about: 'Decide requests; manage policies, devices, members and settings' },
  member: { name: 'Member', about: 'Create API keys and projects, run tests, report false positives' },
  auditor: { name: 'Auditor', about: 'View everything, export the audit log' },
  viewer: { name: 'Viewer', about: 'View everything, test texts, request exceptions' },
};

/** Roles that an admin can assign. */
export const ASSIGNABLE_ROLES = ['admin', 'member', 'auditor', 'viewer'] as const;
