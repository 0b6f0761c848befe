import type { ProjectOnDesk } from '@csg/shared/contract';
import { useRead } from './hooks.ts';

export function useProjects() {
  return useRead<ProjectOnDesk[]>('/projects');
}

/** For a select: each project by its name. */
export function projectChoices(projects: readonly ProjectOnDesk[] = []): { value: string; label: string }[] {
  return projects.map(({ id, name }) => ({ value: id, label: name }));
}
