import type { SessionAnswer } from '@csg/shared/contract';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { ApiError, callApi, setCsrfToken } from './api.ts';

export type Organization = NonNullable<SessionAnswer['organization']>;
export type Role = Organization['role'];
/** Somebody who is signed in and looks at an organization. */
export type Session = SessionAnswer & { readonly organization: Organization };

const RANK: Readonly<Record<Role, number>> = { owner: 3, admin: 2, member: 1, viewer: 0 };

/** Whether their role in the selected organization is this or a stronger one. */
export function isAtLeast({ organization }: Pick<Session, 'organization'>, minRole: Role): boolean {
  return RANK[organization.role] >= RANK[minRole];
}

/** null: nobody is signed in. */
export function useReadSession() {
  return useQuery<SessionAnswer | null, ApiError>({
    queryKey: ['/session'],
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }) => {
      try {
        return storeCsrfToken(await callApi<SessionAnswer>('GET', '/session', { signal }));
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
  });
}

/** What is sent with every change comes with the session. */
export function storeCsrfToken(session: SessionAnswer): SessionAnswer {
  setCsrfToken(session.csrf_token);
  return session;
}

export const SessionContext = createContext<Session | null>(null);

/** Inside the shell somebody is always signed in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no session here');
  return session;
}

/** Everything that was read belonged to that session: the page starts over. */
export async function signOut(): Promise<void> {
  await callApi('DELETE', '/session');
  location.assign('/dashboard/');
}

export async function selectOrganization(organizationId: string): Promise<void> {
  await callApi('POST', '/session/organization', { body: { organization_id: organizationId } });
  location.assign('/dashboard/');
}
