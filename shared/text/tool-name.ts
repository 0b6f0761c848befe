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
  return toolListings(...lists)(name);
}

/**
 * The same for many tools. What blocks or requires approval also matches names that a program could take for an entry;
 * what allows matches exactly.
 */
export function toolListings(...lists: readonly Partial<ListedTools>[]): (name: string) => ToolListing {
  const isBlocked = toolMatcher(lists.flatMap(({ blocked_tools: blocked = [] }) => blocked));
  const isReviewed = toolMatcher(lists.flatMap(({ review_required_tools: reviewed = [] }) => reviewed));
  const allowed = lists.map(({ allowed_tools: entries = [] }) => entries).filter(({ length }) => length > 0);
  return (name) => {
    if (isBlocked(name)) return 'blocked';
    if (!allowed.every((entries) => matchesTool(name, entries))) return 'not_allowed';
    return isReviewed(name) ? 'review' : 'free';
  };
}

/** True if a tool's name, or its part after the last separator, equals an entry of a list. Substrings do not match. */
export function matchesTool(name: string, entries: readonly string[]): boolean {
  return entries.includes(name) || entries.includes(bareToolName(name));
}

/**
 * Returns a test for names that a program could take for an entry: those that differ only in case, width, white space at
 * the ends or invisible characters match too.
 */
export function toolMatcher(entries: readonly string[]): (name: string) => boolean {
  const folded = new Set(entries.map(foldName));
  return (name) => {
    if (folded.size === 0) return false;
    const whole = foldName(name);
    return folded.has(whole) || folded.has(bareToolName(whole).trim());
  };
}

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

const foldName = (name: string): string => name.normalize('NFKC').replace(INVISIBLE, '').toLowerCase().trim();
