import type { SlotRole } from '../../text/index.ts';
import type { Rule, Rules } from './rules.ts';

/** Roles that stand for what a tool said in any provider's bodies: to take it for data is never wrong. */
const TOOL_ROLES: ReadonlySet<string> = new Set(['tool', 'function']);

/** Whose words a message is that says its role; `isOwn`: it stands in the format's own conversation. */
export function roleOfMessage({ roles }: Pick<Rules, 'roles'>, name: string, isOwn: boolean): SlotRole {
  const role = isOwn ? roles.get(name) : undefined;
  return role ?? (TOOL_ROLES.has(name) ? 'tool_result' : 'user');
}

/**
 * Whose words an item is that says only its type. Providers name what a tool was asked `…_call` or `…_use` and what it
 * said `…_output` or `…_result`, so their next tool is read rightly before a table knows it.
 */
export function roleOfItem({ types }: Pick<Rules, 'types'>, type: string, otherwise: SlotRole): SlotRole {
  const known = types.get(type)?.role;
  if (known === 'speaker') return otherwise;
  if (known !== undefined) return known;
  if (/_(?:output|result|error)$/.test(type)) return 'tool_result';
  if (/_(?:call|use)$/.test(type)) return 'tool_call';
  return otherwise === 'system' ? 'document' : otherwise;
}

/**
 * The role of a block inside a message. A type can lower the trust that its place gives, never raise
 * it: a person's block does not become the model's or the developer's by being called so.
 */
export function roleOfBlock(rules: Pick<Rules, 'types'>, type: string, around: SlotRole): SlotRole {
  const byType = roleOfItem(rules, type, around);
  if (around !== 'user' && around !== 'tool_result' && around !== 'document') return byType;
  return byType === 'tool_result' || byType === 'document' ? byType : around;
}

/** Whose words a member of a message or block is. Only the model calls tools; a result is data wherever it stands. */
export function roleOfMember(rule: Rule | undefined, around: SlotRole): SlotRole {
  // A member that the format does not have must not borrow the developer's trust.
  if (around === 'system' && rule?.isOwn !== true) return 'other';
  if (rule === undefined) return around;
  switch (rule.role) {
    case undefined:
      return around;
    case 'tool_call':
      return around === 'assistant' ? 'tool_call' : around;
    case 'tool_result':
      return rule.isOwn || around === 'tool_call' ? 'tool_result' : around;
    case 'document':
      return 'document';
    default:
      return rule.isOwn ? rule.role : around;
  }
}

/** Whose words the text of a stream's event is, by how providers name such events. */
export function roleOfEvent(type: string): SlotRole {
  if (/output_content|call_output/.test(type)) return 'tool_result';
  return /arguments|_call|_code|command/.test(type) ? 'tool_call' : 'assistant';
}
