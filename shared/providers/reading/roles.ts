import type { SlotRole } from '../../text/index.ts';
import type { Rule, Rules } from './rules.ts';

/** Roles of tool results in any provider's bodies: treating them as data is always safe. */
const TOOL_ROLES: ReadonlySet<string> = new Set(['tool', 'function']);

/** Returns the role of a message by its declared one; `isOwn`: it is in the format's own conversation. */
export function roleOfMessage({ roles }: Pick<Rules, 'roles'>, name: string, isOwn: boolean): SlotRole {
  const role = isOwn ? roles.get(name) : undefined;
  return role ?? (TOOL_ROLES.has(name) ? 'tool_result' : 'user');
}

/**
 * Returns the role of an item with only a type. Providers name calls `…_call` or `…_use` and results `…_output` or
 * `…_result`, so new tools are read correctly before a table knows them.
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
 * Returns the role of a block inside a message. A type can lower the trust of its position, never raise it: a block of
 * the user does not become the model's or the developer's by its type.
 */
export function roleOfBlock(rules: Pick<Rules, 'types'>, type: string, around: SlotRole): SlotRole {
  const byType = roleOfItem(rules, type, around);
  if (around !== 'user' && around !== 'tool_result' && around !== 'document') return byType;
  return byType === 'tool_result' || byType === 'document' ? byType : around;
}

/** Returns the role of a member of a message or block. Only the model calls tools; a result is data in any position. */
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

/** Returns the role of the text of a stream's event, by the naming conventions of providers. */
export function roleOfEvent(type: string): SlotRole {
  if (/output_content|call_output/.test(type)) return 'tool_result';
  return /arguments|_call|_code|command/.test(type) ? 'tool_call' : 'assistant';
}

/** Returns whether the text of a stream's event is what the model thinks. */
export function isThoughtEvent(type: string): boolean {
  return /\breasoning_/.test(type);
}
