import { CodedError } from '@csg/shared/contract';
import type { Project, Repositories } from '../storage/storage.ts';

/** Finds a project of this organization. Projects of other organizations are reported like unknown ones. */
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
  return new CodedError('not_found', { message: 'No such project.' });
}
