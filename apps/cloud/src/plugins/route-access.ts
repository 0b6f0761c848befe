import type { Permission } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import type { Role } from '../storage/storage.ts';

/** Access rule of a route. It belongs to the route itself, never to its URL. */
export type RouteAccess =
  | { readonly auth: 'none' }
  | {
      readonly auth: 'key';
      /** The permission that a restricted key needs. */
      readonly scope: Permission;
      /** Alternative permissions: the subsequent calls check their own. */
      readonly orScopes?: readonly Permission[];
      /** True if device credentials may call it too; `only`: no other key may. */
      readonly device: boolean | 'only';
      /** `endpoint`: guard, scan and redact have different names for some failures (decisions, section 1). */
      readonly errors: 'general' | 'endpoint';
      /** Scans texts, at a cost that grows with their size: rejected first under overload (plugins/load-shedding). */
      readonly isHeavy: boolean;
    }
  | {
      /** A person in a browser (plugins/session). */
      readonly auth: 'session';
      /** Minimum role in the session's organization; null: any signed-in person. */
      readonly role: Role | null;
      /** Also allowed for a single sign-on session: concerns the session, or its organization. */
      readonly isForSso: boolean;
      /** Also allowed for auditors. */
      readonly isForAuditors: boolean;
      /** A role in any project suffices; the flow checks the role in the project concerned. */
      readonly isByProject: boolean;
      readonly isHeavy: boolean;
    }
  /** An organization's directory, by its token (plugins/directory-auth). */
  | { readonly auth: 'directory' };

/** Scopes of model requests, scans, tool calls and pages. */
const HEAVY_SCOPES: ReadonlySet<Permission> = new Set(['proxy', 'scan', 'agent', 'scrape']);

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
}

/** Fails at startup for a route without an access rule. */
export function requireRouteAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} does not define its access (config.access)`);
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

/** For device credentials only. */
export function needsDevice(): { access: RouteAccess } {
  return { access: { auth: 'key', scope: 'scan', device: 'only', errors: 'general', isHeavy: false } };
}

/**
 * For signed-in people with at least this role in the selected organization or, if the URL names a
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

/** For any signed-in person, about their own account. */
export function needsSession(options: { readonly isForSso?: boolean } = {}): { access: RouteAccess } {
  const { isForSso = false } = options;
  const access = { auth: 'session', role: null, isForSso, isForAuditors: false, isByProject: false } as const;
  return { access: { ...access, isHeavy: false } };
}

/** For directories that provision an organization's users (SCIM). */
export function needsDirectory(): { access: RouteAccess } {
  return { access: { auth: 'directory' } };
}
