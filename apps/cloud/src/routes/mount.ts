import type { ErrorCode, Permission } from '@csg/shared/contract';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { principalOf } from '../plugins/auth.ts';
import { withStoredResponse } from '../plugins/idempotency.ts';
import { needsRole, needsScope, type RouteAccess } from '../plugins/route-access.ts';
import type { Role, Storage } from '../storage/storage.ts';
import { callerOf } from './dashboard/caller-of.ts';
import { type DASHBOARD_AREAS, dashboardRoute } from './dashboard/dashboard-route.ts';
import { type Documented, documented } from './documented.ts';

/**
 * Who calls a resource: the holder of a key at `/api/v1`, or a person at `/dashboard`. A resource that both have is
 * registered once for each, and its flow checks what the caller may do.
 */
export interface Mount {
  readonly isByKey: boolean;
  /** Operations have the same name, with `Dashboard` after the verb for people: `createDashboardProject`. */
  document(
    operation: readonly [verb: string, object: string],
    area: keyof typeof DASHBOARD_AREAS,
    route: Omit<Documented, 'id' | 'tag'>,
  ): Record<string, unknown>;
  access(needs: {
    readonly scope: Permission;
    readonly role: Role;
    readonly isByProject?: boolean;
    /** The holder of a key may be a device. */
    readonly isForDevices?: boolean;
  }): { access: RouteAccess };
  callerOf(request: FastifyRequest): Caller;
  /** The dependencies of a change, whose response is stored with it if it may be sent again. */
  forChange<D extends { readonly storage: Pick<Storage, 'transaction'> }, T>(
    deps: D,
    request: FastifyRequest,
    toResponse?: (result: T) => object,
  ): D;
}

/** What developers' documents call an area, if it is not the same. */
const KEY_TAGS: Readonly<Record<string, string>> = { Requests: 'Approvals' };
const KEY_CODES: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key'];

export const byKey: Mount = {
  isByKey: true,
  document: (operation, tag, route) =>
    documented({
      ...{ ...route, tag: KEY_TAGS[tag] ?? tag, id: operation.join('') },
      codes: [...KEY_CODES, ...(route.codes ?? [])],
    }),
  access: ({ scope, isForDevices = false }) => needsScope(scope, { device: isForDevices }),
  callerOf: principalOf,
  forChange: withStoredResponse,
};

export const byPerson: Mount = {
  isByKey: false,
  document: (operation, area, route) => dashboardRoute({ ...route, area, id: operation.join('Dashboard') }),
  access: ({ role, isByProject = false }) => needsRole(role, { isByProject }),
  callerOf,
  forChange: (deps) => deps,
};
