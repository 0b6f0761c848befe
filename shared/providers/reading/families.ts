import type { SlotRole } from '../../text/index.ts';

/** Bodies of one form, whoever speaks it. */
export type Family = 'chat' | 'messages' | 'responses';

/** Members in which a family's developers speak to the model. In a body of another family nobody vouches for them. */
const DEVELOPER_MEMBERS: Readonly<Record<Family, ReadonlySet<string>>> = {
  chat: new Set(['tools', 'functions', 'response_format']),
  messages: new Set(['system', 'tools', 'mcp_servers']),
  responses: new Set(['instructions', 'tools', 'text']),
};

/** Where a family's conversation is: only there a message may name a role that is trusted. */
const CONVERSATIONS: Readonly<Record<Family, string>> = {
  chat: 'messages',
  messages: 'messages',
  responses: 'input',
};

/** Roles of messages other than a person's, as the family's reference has them. */
const MESSAGE_ROLES: Readonly<Record<Family, ReadonlySet<string>>> = {
  chat: new Set(['system', 'developer', 'assistant', 'tool', 'function']),
  messages: new Set(['system', 'assistant']),
  responses: new Set(['system', 'developer', 'assistant']),
};

export function isDeveloperMember(family: Family, name: string): boolean {
  return DEVELOPER_MEMBERS[family].has(name);
}

export function isConversation(family: Family, name: string): boolean {
  return CONVERSATIONS[family] === name;
}

/** `role` is whose words a message with the role `said` would be in any family. Data stays data. */
export function roleInFamily(family: Family, said: string, role: SlotRole): SlotRole {
  return MESSAGE_ROLES[family].has(said) || role === 'tool_result' ? role : 'user';
}
