import { CodedError } from '@csg/shared/contract';
import type { Project, Repositories } from '../storage/storage.ts';

/** The project of this organization; of another organization's it says the same as of none. */
export async function findProject(
  { projects }: Pick<Repositories, 'projects'>,
  { organizationId }: { readonly organizationId: string },
  projectId: string,
): Promise<Project> {
  const project = await projects.get(organizationId, projectId);
  if (project === null) throw unknownProject();
  return project;
}

export function unknownProject(): CodedError {
  return new CodedError('not_found', { message: 'There is no project with this id.' });
}
