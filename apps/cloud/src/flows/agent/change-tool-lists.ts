import { DEFAULT_BLOCKED_TOOLS, type ToolLists } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import { requireRole } from '../../access/require-role.ts';
import type { Storage } from '../../storage/storage.ts';

/** Returns a project's lists for agents' tools, or empty lists if it has none of its own. */
export async function readToolLists(
  deps: { readonly storage: Pick<Storage, 'toolLists' | 'projects'> },
  organizationId: string,
  projectId: string,
): Promise<ToolLists> {
  await findProject(deps.storage, { organizationId }, projectId);
  return (await deps.storage.toolLists.get(organizationId, projectId)) ?? NONE;
}

/** Replaces all three lists. Duplicate names are stored once. */
export async function changeToolLists(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  admin: Admin,
  projectId: string,
  wanted: ToolLists,
): Promise<ToolLists> {
  const { organizationId } = admin;
  const lists: ToolLists = {
    blocked_tools: [...new Set(wanted.blocked_tools)],
    allowed_tools: [...new Set(wanted.allowed_tools)],
    review_required_tools: [...new Set(wanted.review_required_tools)],
  };
  await deps.storage.transaction(async (repositories) => {
    await requireRole({ storage: repositories }, admin, 'admin', { projectId });
    await findProject(repositories, admin, projectId);
    const before = (await repositories.toolLists.get(organizationId, projectId)) ?? NONE;
    await repositories.toolLists.set(organizationId, projectId, lists);
    await repositories.audit.append({
      organizationId,
      kind: 'tool_lists_changed',
      actor: admin.id,
      subject: projectId,
      data: { ...countsOf(lists), before: countsOf(before) },
    });
  });
  return lists;
}

function countsOf(lists: ToolLists) {
  return {
    blocked: lists.blocked_tools.length,
    allowed: lists.allowed_tools.length,
    review_required: lists.review_required_tools.length,
  };
}

const NONE: ToolLists = {
  blocked_tools: [...DEFAULT_BLOCKED_TOOLS],
  allowed_tools: [],
  review_required_tools: [],
};
