import type { ErrorCode } from '@csg/shared/contract';
import { type Documented, documented } from '../documented.ts';

/** What every route of a signed-in person can answer. */
const SESSION_CODES: readonly ErrorCode[] = [
  'not_signed_in',
  'insufficient_role',
  'second_factor_missing',
  'foreign_request',
];

/** The schema of a `/dashboard` route: for a session's cookie, or for anybody. */
export function dashboardRoute(
  route: Omit<Documented, 'tag' | 'open'> & { readonly forAnybody?: boolean },
): Record<string, unknown> {
  const { forAnybody = false, codes = [], ...rest } = route;
  return {
    ...documented({
      ...rest,
      tag: 'Dashboard',
      open: true,
      replays: false,
      codes: [...(forAnybody ? ['foreign_request' as const] : SESSION_CODES), ...codes],
    }),
    ...(forAnybody ? {} : { security: [{ session: [] }] }),
  };
}
