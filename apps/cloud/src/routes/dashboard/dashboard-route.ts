import type { ErrorCode } from '@csg/shared/contract';
import { type Documented, documented } from '../documented.ts';

/** What every route of a signed-in person can answer. */
const SESSION_CODES: readonly ErrorCode[] = [
  'not_signed_in',
  'insufficient_role',
  'second_factor_missing',
  'foreign_request',
];

/** Each is a tag of its own, after those of the developer interface. */
export const DASHBOARD_AREAS = [
  'Sign-in',
  'Account',
  'Organization',
  'Members',
  'Overview',
  'Events',
  'API keys',
  'Projects',
  'Policies',
  'Requests',
  'Agent tools',
  'Devices',
  'Webhooks',
  'Security tests',
  'Usage',
  'Audit log',
  'Emails',
] as const;

/** The schema of a `/dashboard` route: for a session's cookie, or for anybody. */
export function dashboardRoute(
  route: Omit<Documented, 'tag' | 'open'> & {
    readonly area: (typeof DASHBOARD_AREAS)[number];
    readonly forAnybody?: boolean;
  },
): Record<string, unknown> {
  const { area, forAnybody = false, codes = [], ...rest } = route;
  return {
    ...documented({
      ...rest,
      tag: `Dashboard: ${area}`,
      open: true,
      replays: false,
      codes: [...(forAnybody ? ['foreign_request' as const] : SESSION_CODES), ...codes],
    }),
    ...(forAnybody ? {} : { security: [{ session: [] }] }),
  };
}
