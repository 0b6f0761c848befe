const SEPARATORS = ['.', ':', '__'];

/**
 * Returns the part of a tool's name after its last `.`, `:` or `__`: `shell` for `mcp__box__shell`; the whole name
 * without a separator.
 */
export function bareToolName(name: string): string {
  let start = 0;
  for (const separator of SEPARATORS) {
    const at = name.lastIndexOf(separator);
    if (at >= 0) start = Math.max(start, at + separator.length);
  }
  return name.slice(start);
}

export interface ListedTools {
  readonly blocked_tools: readonly string[];
  readonly allowed_tools: readonly string[];
  readonly review_required_tools: readonly string[];
}

/** The status of a tool by the lists, before its arguments are evaluated. */
export type ToolListing = 'free' | 'review' | 'blocked' | 'not_allowed';

/** Returns the strictest status of a tool in any of the lists; an empty allowed list allows everything. */
export function toolListing(name: string, ...lists: readonly Partial<ListedTools>[]): ToolListing {
  if (lists.some(({ blocked_tools = [] }) => matchesTool(name, blocked_tools))) return 'blocked';
  const isAllowed = ({ allowed_tools = [] }: Partial<ListedTools>): boolean =>
    allowed_tools.length === 0 || matchesTool(name, allowed_tools);
  if (!lists.every(isAllowed)) return 'not_allowed';
  return lists.some(({ review_required_tools = [] }) => matchesTool(name, review_required_tools))
    ? 'review'
    : 'free';
}

/** True if a tool's name, or its part after the last separator, equals an entry of a list. Substrings do not match. */
export function matchesTool(name: string, entries: readonly string[]): boolean {
  return entries.includes(name) || entries.includes(bareToolName(name));
}
