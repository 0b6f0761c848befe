import type { Permission } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import type { Role } from '../storage/storage.ts';

/** Who may call a route. A property of the route itself, never of its address. */
export type RouteAccess =
  | { readonly auth: 'none' }
  | {
      readonly auth: 'key';
      /** The permission a restricted key needs. */
      readonly scope: Permission;
      /** Any of these will do, too: the calls that follow ask for their own. */
      readonly orScopes?: readonly Permission[];
      /** Whether a device credential may call it too; `only`: nothing else may. */
      readonly device: boolean | 'only';
      /** `endpoint`: guard, scan and redact name some failures differently (decisions, section 1). */
      readonly errors: 'general' | 'endpoint';
      /** Reads texts, which costs as much as is sent: shed first where there is too much to do (plugins/load-shedding). */
      readonly isHeavy: boolean;
    }
  | {
      /** A person in a browser (plugins/session). */
      readonly auth: 'session';
      /** The least role in the organization of the session; null: any signed-in person. */
      readonly role: Role | null;
      /** A session of single sign-on may call it too: it is about the session, or about its one organization. */
      readonly isForSso: boolean;
      /** An auditor may call it too. */
      readonly isForAuditors: boolean;
      /** A role in any one project will do: the flow asks for that of the project that it is about. */
      readonly isByProject: boolean;
      readonly isHeavy: boolean;
    }
  /** An organization's directory, by its token (plugins/directory-auth). */
  | { readonly auth: 'directory' };

/** Of model requests, scans, tool calls and pages. */
const HEAVY_SCOPES: ReadonlySet<Permission> = new Set(['proxy', 'scan', 'agent', 'scrape']);

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
}

/** Refuses to start with a route that does not say who may call it. */
export function requireRouteAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it (config.access)`);
    }
  });
}

export function openToAll(): { access: RouteAccess } {
  return { access: { auth: 'none' } };
}

export function needsScope(
  scope: Permission,
  options: {
    readonly device?: boolean;
    readonly errors?: 'general' | 'endpoint';
    readonly orScopes?: readonly Permission[];
  } = {},
): { access: RouteAccess } {
  return {
    access: {
      auth: 'key',
      scope,
      ...(options.orScopes === undefined ? {} : { orScopes: options.orScopes }),
      device: options.device ?? false,
      errors: options.errors ?? 'general',
      isHeavy: HEAVY_SCOPES.has(scope),
    },
  };
}

/** For device credentials alone. */
export function needsDevice(): { access: RouteAccess } {
  return { access: { auth: 'key', scope: 'scan', device: 'only', errors: 'general', isHeavy: false } };
}

/**
 * For signed-in people with this role, or a stronger one, in the organization they look at; where the address names a
 * project, in that project.
 */
export function needsRole(
  role: Role,
  options: {
    readonly isHeavy?: boolean;
    readonly isForAuditors?: boolean;
    readonly isByProject?: boolean;
  } = {},
): { access: RouteAccess } {
  const { isHeavy = false, isForAuditors = false, isByProject = false } = options;
  return { access: { auth: 'session', role, isForSso: true, isForAuditors, isByProject, isHeavy } };
}

/** For any signed-in person, about themselves. */
export function needsSession(options: { readonly isForSso?: boolean } = {}): { access: RouteAccess } {
  const { isForSso = false } = options;
  const access = { auth: 'session', role: null, isForSso, isForAuditors: false, isByProject: false } as const;
  return { access: { ...access, isHeavy: false } };
}

/** For directories that manage an organization's people (SCIM). */
export function needsDirectory(): { access: RouteAccess } {
  return { access: { auth: 'directory' } };
}
