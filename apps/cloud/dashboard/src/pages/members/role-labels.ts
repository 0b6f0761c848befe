import type { Role } from '../../data/session.ts';

export const ROLE_LABELS: Readonly<Record<Role, { readonly name: string; readonly about: string }>> = {
  owner: { name: 'Owner', about: 'everything; the plan is theirs' },
  admin: { name: 'Admin', about: 'decide requests, change policies, devices, members, settings' },
  member: { name: 'Member', about: 'make keys and projects, run tests, mark events' },
  viewer: { name: 'Viewer', about: 'read everything, try texts, ask for exceptions' },
};
