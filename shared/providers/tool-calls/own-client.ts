/** Where the newest official package of an interface takes a call from: wrapper and member, most specific first. */
export type OwnClient = (type: string) => readonly string[];

/** Members of items of the Responses API, by their type; all others are functions. */
const ITEMS: Readonly<Record<string, string>> = {
  custom_tool_call: 'input',
  local_shell_call: 'action',
  shell_call: 'action',
  computer_call: 'action',
  web_search_call: 'action',
  apply_patch_call: 'operation',
  code_interpreter_call: 'code',
  file_search_call: 'queries',
};

const FUNCTIONS = ['function/arguments', 'custom/input', 'function_call/arguments'];
const CUSTOM_FIRST = ['custom/input', 'function/arguments', 'function_call/arguments'];

const chat: OwnClient = (type) => (type === 'custom' ? CUSTOM_FIRST : FUNCTIONS);
const responses: OwnClient = (type) => [`/${Object.hasOwn(ITEMS, type) ? ITEMS[type] : 'arguments'}`];
const messages: OwnClient = () => ['/input'];
const generate: OwnClient = () => ['functionCall/args', 'executableCode/'];
const converse: OwnClient = () => ['toolUse/input'];
const any: OwnClient = () => [];

const CLIENTS: Readonly<Record<string, OwnClient>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
  'bedrock-invoke': messages,
  'gemini-generate': generate,
  'bedrock-converse': converse,
};

/** `format`: the name of an interface's table. An interface without a client of its own is read by the usual members. */
export const ownClientOf = (format: string): OwnClient => CLIENTS[format] ?? any;
