import type { ErrorCode } from '@csg/shared/contract';
import Type from 'typebox';
import { tokenScopeOf } from '../../access/token-operations.ts';
import { type CommonCodes, type Documented, documented } from '../documented.ts';

/** Error codes of every route for a signed-in person. */
const SESSION_CODES: readonly ErrorCode[] = [
  'not_signed_in',
  'insufficient_role',
  'second_factor_missing',
  'sso_required',
  'foreign_request',
];

/** Additional error codes for an organization token. */
const TOKEN_CODES: readonly ErrorCode[] = ['unauthorized', 'insufficient_scope'];

const SESSION: CommonCodes = { of: 'session', codes: [...SESSION_CODES, ...TOKEN_CODES] };
const PUBLIC: CommonCodes = { of: 'page', codes: ['foreign_request'] };

/** Subjects of the dashboard's routes: each is a tag of its own. */
export const DASHBOARD_AREAS = {
  'Sign-in': 'Sign in, sign up, reset a password, accept an invitation.',
  Account: 'Your name, email address, password, sessions and second factor.',
  Organization: 'Create, switch, change, transfer and delete organizations.',
  Members: 'Members, invitations and directory tokens.',
  Overview: 'Figures of the last hours and days, and the running version.',
  Events: 'Decisions, and reports of false positives.',
  'API keys': 'Keys of the organization.',
  Projects: 'Projects, their retention and their provider credentials.',
  Policies: 'Policies of projects and of the organization, with a preview of their impact.',
  Requests: 'Exceptions and AI tools that people request and admins decide.',
  'Agent tools': 'Tool lists of projects, and tool calls that a person reviews.',
  Devices: 'Devices, fleet settings and enrollment tokens.',
  Webhooks: 'Endpoints that receive events or return a verdict, and deliveries.',
  'Security tests': 'The playground, and stored runs of the security tests.',
  Usage: 'Usage, plan and limits on overage.',
  'Audit log': 'List, verify and export the audit log.',
  Emails: 'Emails that were sent or are pending.',
} as const;

export const dashboardTag = (area: string): string => `Dashboard: ${area}`;

function securityOf(operationId: string): readonly object[] {
  return tokenScopeOf(operationId) === null
    ? [{ session: [] }]
    : [{ session: [] }, { organizationToken: [] }];
}

/** The schema of a `/dashboard` route: for a session's cookie, or without authentication. */
export function dashboardRoute(
  route: Omit<Documented, 'tag' | 'open'> & {
    readonly area: keyof typeof DASHBOARD_AREAS;
    readonly isPublic?: boolean;
  },
): Record<string, unknown> {
  const { area, isPublic = false, ...rest } = route;
  return {
    ...documented({
      ...rest,
      tag: dashboardTag(area),
      open: true,
      replays: false,
      common: isPublic ? PUBLIC : SESSION,
    }),
    ...(isPublic ? {} : { security: securityOf(route.id) }),
  };
}

/** Several objects may share a name; a program that works from a file can require a unique one. */
export const uniqueNameQuery = Type.Object({
  unique_name: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        'true: the request is rejected with `invalid_state` if the name already exists in the same scope. Default: false.',
    }),
  ),
});
export interface UniqueNameQuery {
  readonly unique_name?: 'true' | 'false';
}
