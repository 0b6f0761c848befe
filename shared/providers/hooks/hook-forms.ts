/** The reply to a hook, in the form of its agent. An empty one leaves the decision to the agent's own confirmation. */
export type HookReply = Readonly<Record<string, unknown>>;

/** The content of an agent's event. */
export type HookKind = 'call' | 'prompt' | 'result';

export interface HookForm {
  readonly agent: 'claude-code' | 'codex' | 'gemini-cli' | 'cursor' | 'mcp';
  readonly kind: HookKind;
  /** For events without a tool name. */
  readonly toolName?: string;
  /** The member with the text or the arguments; null: those named in `members`. */
  readonly member: string | null;
  readonly members?: readonly string[];
  readonly deny: (reason: string) => HookReply;
  /** Default: as `deny`, because the agent cannot ask the user here. */
  readonly ask?: (reason: string) => HookReply;
}

const permission = (permissionDecision: 'ask' | 'deny') => (permissionDecisionReason: string) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
});
const block = (reason: string) => ({ decision: 'block', reason });
const deny = (reason: string) => ({ decision: 'deny', reason });

/** Source: Claude Code, hooks reference. */
const CLAUDE: Readonly<Record<string, HookForm>> = {
  PreToolUse: {
    agent: 'claude-code',
    kind: 'call',
    member: 'tool_input',
    deny: permission('deny'),
    ask: permission('ask'),
  },
  PostToolUse: { agent: 'claude-code', kind: 'result', member: 'tool_response', deny: block },
  UserPromptSubmit: { agent: 'claude-code', kind: 'prompt', member: 'prompt', deny: block },
};

/** Source: Gemini CLI, hooks reference. */
const GEMINI: Readonly<Record<string, HookForm>> = {
  BeforeTool: { agent: 'gemini-cli', kind: 'call', member: 'tool_input', deny },
  AfterTool: { agent: 'gemini-cli', kind: 'result', member: 'tool_response', deny },
  BeforeAgent: { agent: 'gemini-cli', kind: 'prompt', member: 'prompt', deny },
};

const cursorSays = (permission: 'ask' | 'deny') => (reason: string) => ({
  ...{ permission, user_message: reason, agent_message: reason },
});
const cursorCall = {
  agent: 'cursor',
  kind: 'call',
  deny: cursorSays('deny'),
  ask: cursorSays('ask'),
} as const;
/** A call that has run cannot be undone; the agent is warned. */
const cursorResult = {
  agent: 'cursor',
  kind: 'result',
  deny: (reason: string) => ({ additional_context: reason }),
} as const;

/** Source: Cursor, hooks. */
const CURSOR: Readonly<Record<string, HookForm>> = {
  beforeShellExecution: { ...cursorCall, toolName: 'shell', member: null, members: ['command', 'cwd'] },
  beforeMCPExecution: { ...cursorCall, member: 'tool_input' },
  preToolUse: { ...cursorCall, member: 'tool_input' },
  beforeReadFile: {
    agent: 'cursor',
    kind: 'result',
    member: 'content',
    deny: (reason) => ({ permission: 'deny', user_message: reason }),
  },
  beforeSubmitPrompt: {
    agent: 'cursor',
    kind: 'prompt',
    member: 'prompt',
    deny: (reason) => ({ continue: false, user_message: reason }),
  },
  postToolUse: { ...cursorResult, member: 'tool_output' },
  afterShellExecution: { ...cursorResult, member: 'output' },
  afterMCPExecution: { ...cursorResult, member: 'result_json' },
};

/** Source: Codex, hooks. It uses Claude Code's form, adds the turn's id, and ignores `ask`. */
const CODEX: Readonly<Record<string, HookForm>> = Object.fromEntries(
  Object.entries(CLAUDE).map(([name, { ask: _, ...form }]) => [name, { ...form, agent: 'codex' }]),
);

/** Our own form, for an MCP server that runs in `agent mcp-wrap`. */
const MCP: Readonly<Record<string, HookForm>> = {
  BeforeMcpCall: { agent: 'mcp', kind: 'call', member: 'tool_input', deny },
  AfterMcpCall: { agent: 'mcp', kind: 'result', member: 'tool_response', deny },
};

const ALL: Readonly<Record<string, HookForm>> = { ...CLAUDE, ...GEMINI, ...CURSOR, ...MCP };

export function hookFormOf(event: string, isCodex: boolean): HookForm | undefined {
  const forms = isCodex ? CODEX : ALL;
  return Object.hasOwn(forms, event) ? forms[event] : undefined;
}
