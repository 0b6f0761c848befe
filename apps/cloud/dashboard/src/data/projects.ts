import type { DashboardProject } from '@csg/shared/contract';
import { useApiQuery } from './hooks.ts';

export function useProjects() {
  return useApiQuery<DashboardProject[]>('/projects');
}

/** Project options for a select. */
export function projectChoices(
  projects: readonly DashboardProject[] = [],
): { value: string; label: string }[] {
  return projects.map(({ id, name }) => ({ value: id, label: name }));
}
