import { sql } from 'kysely';

/** The project of an event: the same expression as in the index `security_events_project`, so that the engines use it. */
export const PROJECT = sql<string>`coalesce(project_id, '')`;

export const isOfProject = (projectId: string) => () => sql<boolean>`${PROJECT} = ${projectId}`;
