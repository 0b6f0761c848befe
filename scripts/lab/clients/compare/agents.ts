import path from 'node:path';
import { NOTE, type Task } from './tasks.ts';

/** What a start of an agent needs to know. */
export interface Start {
  readonly task: Task;
  readonly prompt: string;
  /** The second start, which continues the first. */
  readonly isSecond: boolean;
  /** With `/api`. */
  readonly url: string;
  readonly key: string;
  readonly home: string;
  readonly workspace: string;
  /** Of its packages. */
  readonly folder: string;
  /** The program of the MCP server, for Node. */
  readonly mcpServer: string;
}

export interface ComparedAgent {
  readonly name: string;
  readonly package: string;
  /** The newest version, and the oldest of the last twelve months that starts. */
  readonly versions: readonly [newest: string, oldest?: string];
  /** Below node_modules; the first that exists. */
  readonly programs: readonly string[];
  /** A program of ours that uses the package, in this folder. */
  readonly own?: string;
  /** Tasks that it cannot do without a screen. */
  readonly lacks?: readonly string[];
  /** By version, tasks that it cannot do besides. */
  readonly lacksIn?: Readonly<Record<string, readonly string[]>>;
  /** The host that it talks to without a gateway. */
  readonly host: string;
  readonly args: (start: Start) => readonly string[];
  readonly env: (start: Start) => Readonly<Record<string, string>>;
  /** Settings files, by their path below the home folder. */
  readonly files?: (start: Start) => Readonly<Record<string, string>>;
}

const PLATFORM = `${process.platform}-${process.arch}`;
const MODEL = 'gpt-standin';

const claudeCode: ComparedAgent = {
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  versions: ['2.1.332', '2.0.56'],
  programs: [`@anthropic-ai/claude-code-${PLATFORM}/claude`, '.bin/claude'],
  host: 'api.anthropic.com',
  args: ({ task, prompt, isSecond, home }) => [
    ...['-p', task.mode === 'compact' && isSecond ? '/compact' : prompt, '--model', 'claude-sonnet-5'],
    ...(isSecond ? ['--continue'] : []),
    ...(task.mode === 'plan' ? ['--permission-mode', 'plan'] : ['--dangerously-skip-permissions']),
    ...(task.mode === 'mcp' ? ['--mcp-config', path.join(home, 'mcp.json')] : []),
  ],
  env: ({ url, key }) => ({
    ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, IS_SANDBOX: '1', DISABLE_AUTOUPDATER: '1' },
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  files: ({ mcpServer }) => ({ 'mcp.json': JSON.stringify({ mcpServers: { notes: stdio(mcpServer) } }) }),
};

const codex: ComparedAgent = {
  name: 'Codex',
  package: '@openai/codex',
  versions: ['0.171.0', '0.77.0'],
  programs: ['.bin/codex'],
  host: 'api.openai.com',
  args: ({ task, prompt, isSecond, workspace }) => [
    ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    ...(task.mode === 'image' ? ['-i', path.join(workspace, 'pixel.png'), '--'] : []),
    ...(isSecond ? ['resume', '--last'] : []),
    prompt,
  ],
  env: ({ key, home }) => ({ SERVICE_KEY: key, CODEX_HOME: path.join(home, '.codex') }),
  files: ({ url, task, mcpServer }) => ({
    '.codex/config.toml': [
      ...[`model = "${MODEL}"`, 'model_provider = "gateway"', 'model_context_window = 400000'],
      ...(task.mode === 'compact' ? ['model_auto_compact_token_limit = 20000'] : []),
      ...['[model_providers.gateway]', 'name = "gateway"', `base_url = "${url}/v1"`],
      ...[
        'env_key = "SERVICE_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 1',
        'stream_max_retries = 1',
      ],
      ...(task.mode === 'mcp'
        ? [
            '[mcp_servers.notes]',
            `command = ${JSON.stringify(process.execPath)}`,
            `args = ${JSON.stringify(stdio(mcpServer).args)}`,
          ]
        : []),
    ].join('\n'),
  }),
};

const opencode: ComparedAgent = {
  name: 'opencode',
  package: 'opencode-ai',
  versions: ['1.18.33', '1.1.16'],
  programs: [`opencode-${PLATFORM}/bin/opencode`],
  host: 'api.openai.com',
  args: ({ task, prompt, isSecond, workspace }) => [
    ...['run', prompt, ...(isSecond ? ['--continue'] : [])],
    ...(task.mode === 'plan' ? ['--agent', 'plan'] : []),
    ...(task.mode === 'image' ? ['-f', path.join(workspace, 'pixel.png')] : []),
  ],
  env: ({ key }) => ({
    SERVICE_KEY: key,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  }),
  files: ({ url, task, mcpServer }) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      ...{ autoupdate: false, share: 'disabled', model: `gateway/${MODEL}`, small_model: `gateway/${MODEL}` },
      provider: {
        gateway: {
          ...{ npm: '@ai-sdk/openai-compatible', name: 'gateway' },
          options: { baseURL: `${url}/v1`, apiKey: '{env:SERVICE_KEY}' },
          models: {
            [MODEL]: {
              ...{ name: MODEL, tool_call: true, attachment: true },
              modalities: { input: ['text', 'image'], output: ['text'] },
              limit: { context: 200_000, output: 8_000 },
            },
          },
        },
      },
      ...(task.mode === 'mcp'
        ? { mcp: { notes: { type: 'local', command: [process.execPath, mcpServer, NOTE], enabled: true } } }
        : {}),
    }),
  }),
};

const cline: ComparedAgent = {
  name: 'Cline',
  package: 'cline',
  // Version 2 starts without a window, but its calls are XML in texts.
  versions: ['3.0.65'],
  programs: ['.bin/cline'],
  // It continues a session by an id that it does not show.
  lacks: ['resume', 'compaction'],
  host: 'api.openai.com',
  args: ({ task, prompt }) => [...(task.mode === 'plan' ? ['--plan'] : []), prompt],
  env: () => ({ AI_SDK_LOG_WARNINGS: 'false' }),
  files: ({ url, key, task, mcpServer }) => ({
    '.cline/data/settings/providers.json': JSON.stringify({
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: { provider: 'openai-compatible', apiKey: key, model: MODEL, baseUrl: `${url}/v1` },
          ...{ updatedAt: '2026-11-30T09:00:00.000Z', tokenSource: 'manual' },
        },
      },
    }),
    ...(task.mode === 'mcp'
      ? {
          '.cline/data/settings/cline_mcp_settings.json': JSON.stringify({
            mcpServers: { notes: stdio(mcpServer) },
          }),
        }
      : {}),
  }),
};

const continueCli: ComparedAgent = {
  name: 'Continue',
  package: '@continuedev/cli',
  versions: ['1.5.47', '1.5.26'],
  programs: ['.bin/cn'],
  host: 'api.openai.com',
  args: ({ task, prompt, isSecond, home }) => [
    ...[
      '-p',
      prompt,
      '--config',
      path.join(home, 'continue.yaml'),
      task.mode === 'plan' ? '--readonly' : '--auto',
    ],
    ...(isSecond ? ['--resume'] : []),
  ],
  env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
  files: ({ url, key, task, mcpServer }) => ({
    // JSON is YAML.
    'continue.yaml': JSON.stringify({
      ...{ name: 'comparison', version: '1.0.0', schema: 'v1' },
      models: [
        {
          ...{ name: MODEL, provider: 'openai', model: MODEL, apiBase: `${url}/v1`, apiKey: key },
          ...{ roles: ['chat'], capabilities: ['tool_use', 'image_input'] },
        },
      ],
      ...(task.mode === 'mcp' ? { mcpServers: [{ name: 'notes', ...stdio(mcpServer) }] } : {}),
    }),
  }),
};

const qwen: ComparedAgent = {
  name: 'qwen-code',
  package: '@qwen-code/qwen-code',
  versions: ['0.24.4', '0.7.1'],
  programs: ['.bin/qwen'],
  // It compacts, but finds the stand-in’s numbers of tokens too many afterwards.
  lacksIn: { '0.24.4': ['compaction'] },
  host: 'api.openai.com',
  args: (start) => ['--auth-type', 'openai', ...googleArgs(start, ['--continue'])],
  env: ({ url, key }) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: MODEL }),
  files: ({ task, mcpServer }) => ({ '.qwen/settings.json': googleSettings('openai', task, mcpServer) }),
};

const gemini: ComparedAgent = {
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  versions: ['0.61.0', '0.19.1'],
  programs: ['.bin/gemini'],
  host: 'generativelanguage.googleapis.com',
  // Its plan mode came later.
  lacksIn: { '0.19.1': ['plan mode'] },
  args: (start) => ['-m', 'gemini-2.5-pro', ...googleArgs(start, ['--resume', 'latest'])],
  env: ({ url, key }) => ({
    ...{ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  }),
  files: ({ task, mcpServer }) => ({
    '.gemini/settings.json': googleSettings('gemini-api-key', task, mcpServer),
  }),
};

/** True if this version of an agent can do a task. */
export function canDo({ lacks, lacksIn }: ComparedAgent, version: string, task: string): boolean {
  return !(lacks?.includes(task) || lacksIn?.[version]?.includes(task));
}

export const AGENTS: readonly ComparedAgent[] = [
  claudeCode,
  codex,
  opencode,
  qwen,
  gemini,
  cline,
  continueCli,
];

const stdio = (mcpServer: string) => ({ command: process.execPath, args: [mcpServer, NOTE] });

/** qwen-code began as a copy of Gemini CLI. */
function googleArgs({ task, prompt, isSecond }: Start, resume: readonly string[]): string[] {
  const asked = task.mode === 'image' ? `${prompt} @pixel.png` : prompt;
  return [
    ...(task.mode === 'plan' ? ['--approval-mode', 'plan'] : ['--yolo']),
    ...(isSecond ? resume : []),
    ...['-p', asked],
  ];
}

function googleSettings(auth: string, task: Task, mcpServer: string): string {
  return JSON.stringify({
    security: { auth: { selectedType: auth }, folderTrust: { enabled: false } },
    telemetry: { enabled: false },
    privacy: { usageStatisticsEnabled: false },
    general: { disableAutoUpdate: true, enableAutoUpdate: false },
    ...(task.mode === 'mcp' ? { mcpServers: { notes: { ...stdio(mcpServer), trust: true } } } : {}),
  });
}
