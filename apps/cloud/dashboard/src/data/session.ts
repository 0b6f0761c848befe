import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { ApiFault, callApi, rememberCsrfToken } from './api.ts';

export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** Who is signed in, and where they stand. */
export interface Session {
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null };
  readonly organization: { readonly id: string; readonly name: string; readonly role: Role };
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  readonly csrf_token: string;
}

const RANK: Readonly<Record<Role, number>> = { owner: 3, admin: 2, member: 1, viewer: 0 };

/** Whether their role in the selected organization is this or a stronger one. */
export function isAtLeast(session: Session, least: Role): boolean {
  return RANK[session.organization.role] >= RANK[least];
}

/** null: nobody is signed in. */
export function useReadSession() {
  return useQuery<Session | null, ApiFault>({
    queryKey: ['/session'],
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }) => {
      try {
        const session = await callApi<Session>('GET', '/session', { signal });
        rememberCsrfToken(session.csrf_token);
        return session;
      } catch (fault) {
        if (fault instanceof ApiFault && fault.status === 401) return null;
        throw fault;
      }
    },
  });
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
  await callApi('PUT', '/session/organization', { body: { organization_id: organizationId } });
  location.assign('/dashboard/');
}
