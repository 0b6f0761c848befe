import { DEFAULT_BLOCKED_TOOLS, type ToolLists, type ValidateTool } from '@csg/shared/contract';
import { matchesTool } from '@csg/shared/text';

/** What the lists say of a tool, before its arguments are looked at. */
export type Listing = 'free' | 'review' | 'blocked' | 'not_allowed';

/** The field of the project that a listing follows from. */
export const LIST_NAMES: Readonly<Record<Exclude<Listing, 'free'>, keyof ToolLists>> = {
  blocked: 'blocked_tools',
  not_allowed: 'allowed_tools',
  review: 'review_required_tools',
};

type RequestLists = Pick<ValidateTool, 'blocked_tools' | 'allowed_tools' | 'review_required_tools'>;

/**
 * The project's lists (null: it has none), tightened by those of the request. A default block is lifted only by the
 * project's own `allowed_tools`; an empty allowed list allows everything.
 */
export function listingOf(
  tool: string,
  project: ToolLists | null,
  request: RequestLists,
  defaults: readonly string[] = DEFAULT_BLOCKED_TOOLS,
): Listing {
  const isAllowedByProject = matchesTool(tool, project?.allowed_tools ?? []);
  const isBlocked =
    matchesTool(tool, project?.blocked_tools ?? []) ||
    matchesTool(tool, request.blocked_tools ?? []) ||
    (!isAllowedByProject && matchesTool(tool, defaults));
  if (isBlocked) return 'blocked';
  for (const allowed of [project?.allowed_tools ?? [], request.allowed_tools ?? []]) {
    if (allowed.length > 0 && !matchesTool(tool, allowed)) return 'not_allowed';
  }
  const reviewed = [...(project?.review_required_tools ?? []), ...(request.review_required_tools ?? [])];
  return matchesTool(tool, reviewed) ? 'review' : 'free';
}
