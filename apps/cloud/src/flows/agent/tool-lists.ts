import { DEFAULT_BLOCKED_TOOLS, type ToolLists, type ValidateTool } from '@csg/shared/contract';
import { matchesTool, type ToolListing, toolListing } from '@csg/shared/text';

type RequestLists = Pick<ValidateTool, 'blocked_tools' | 'allowed_tools' | 'review_required_tools'>;

/**
 * Returns a tool's listing by the project's lists (null: it has none), tightened by those of the request. A default
 * block is lifted only by the project's own `allowed_tools`.
 */
export function listingOf(
  tool: string,
  project: ToolLists | null,
  request: RequestLists,
  defaults: readonly string[] = DEFAULT_BLOCKED_TOOLS,
): ToolListing {
  const isLifted = matchesTool(tool, project?.allowed_tools ?? []);
  if (!isLifted && matchesTool(tool, defaults)) return 'blocked';
  return toolListing(tool, project ?? {}, request);
}
