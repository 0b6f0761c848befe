import type { SessionResponse } from '@csg/shared/contract';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { ApiError, callApi, setCsrfToken } from './api.ts';

export type Organization = NonNullable<SessionResponse['organization']>;
export type Role = Organization['role'];
/** A signed-in user with a selected organization. */
export type Session = SessionResponse & { readonly organization: Organization };

const RANK: Readonly<Record<Role, number>> = { owner: 3, admin: 2, member: 1, auditor: 0, viewer: 0 };

/** Returns whether the role in the selected organization, or in the given project, is at least this one. */
export function isAtLeast(
  { organization }: Pick<Session, 'organization'>,
  minRole: Role,
  projectId?: string | null,
): boolean {
  const inProject = organization.project_roles.find((given) => given.project_id === projectId);
  return [organization.role, ...(inProject ? [inProject.role] : [])].some(
    (role) => RANK[role] >= RANK[minRole],
  );
}

/** Returns whether `isAtLeast` holds in the organization or any of its projects. */
export function isAtLeastSomewhere(session: Pick<Session, 'organization'>, minRole: Role): boolean {
  const projects = session.organization.project_roles.map(({ project_id: id }) => id);
  return [null, ...projects].some((id) => isAtLeast(session, minRole, id));
}

/** The session; null if the user is not signed in. */
export function useReadSession() {
  return useQuery<SessionResponse | null, ApiError>({
    queryKey: ['/session'],
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }) => {
      try {
        return storeCsrfToken(await callApi<SessionResponse>('GET', '/session', { signal }));
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
  });
}

/** Stores the session's CSRF token. */
export function storeCsrfToken(session: SessionResponse): SessionResponse {
  setCsrfToken(session.csrf_token);
  return session;
}

export const SessionContext = createContext<Session | null>(null);

/** For components inside the shell, where the user is always signed in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession needs a SessionContext');
  return session;
}

/** Reloads the page, because all loaded data belongs to the session. */
export async function signOut(): Promise<void> {
  await callApi('DELETE', '/session');
  location.assign('/dashboard/');
}

export async function selectOrganization(organizationId: string): Promise<void> {
  await callApi('POST', '/session/organization', { body: { organization_id: organizationId } });
  location.assign('/dashboard/');
}
