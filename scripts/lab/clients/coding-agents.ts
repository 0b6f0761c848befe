import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProvider } from '../../../test/support/test-provider.ts';
import { ATTACK, CARD, type CheckResult, SECRET } from './checks.ts';
import { type Connection, MODEL } from './client.ts';
import { scriptFor } from './replies.ts';

/** A coding agent, set up for a gateway as its documentation describes. */
interface CodingAgent {
  readonly name: string;
  /** Path below the folder of the packages. */
  readonly program: string;
  readonly args: (prompt: string) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Settings files, by their path below the home folder. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Each system's programs are optional packages. */
export const AGENT_PACKAGES = {
  '@openai/codex': '0.169.0',
  '@anthropic-ai/claude-code': '2.1.330',
  'opencode-ai': '1.18.33',
  '@qwen-code/qwen-code': '0.24.4',
  '@google/gemini-cli': '0.61.0',
} as const;

const RUN_MS = 120_000;
const PLATFORM = `${process.platform}-${process.arch}`;

function codingAgents({ v1, root, key }: Connection): readonly CodingAgent[] {
  return [
    {
      name: 'Codex',
      program: '.bin/codex',
      args: (prompt) => ['exec', '--skip-git-repo-check', prompt],
      env: { SERVICE_KEY: key },
      files: {
        '.codex/config.toml': [
          ...[`model = "${MODEL}"`, 'model_provider = "gateway"', '[model_providers.gateway]'],
          ...['name = "gateway"', `base_url = "${v1}"`, 'env_key = "SERVICE_KEY"', 'wire_api = "responses"'],
        ].join('\n'),
      },
    },
    {
      name: 'Claude Code',
      program: `@anthropic-ai/claude-code-${PLATFORM}/claude`,
      args: (prompt) => ['-p', prompt, '--model', 'claude-standin'],
      env: {
        ...{ ANTHROPIC_BASE_URL: root, ANTHROPIC_AUTH_TOKEN: key },
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    },
    {
      name: 'opencode',
      program: `opencode-${PLATFORM}/bin/opencode`,
      args: (prompt) => ['run', prompt],
      env: { SERVICE_KEY: key },
      files: {
        '.config/opencode/opencode.json': JSON.stringify({
          model: `gateway/${MODEL}`,
          provider: {
            gateway: {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: v1, apiKey: '{env:SERVICE_KEY}' },
              models: { [MODEL]: {} },
            },
          },
        }),
      },
    },
    {
      name: 'qwen-code',
      program: '.bin/qwen',
      args: (prompt) => ['-p', prompt, '--auth-type', 'openai'],
      env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: v1, OPENAI_MODEL: MODEL },
    },
    {
      name: 'Gemini CLI',
      program: '.bin/gemini',
      args: (prompt) => ['-p', prompt, '--skip-trust', '-m', 'gemini-2.5-flash'],
      env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: root },
      files: {
        '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
      },
    },
  ];
}

const REASON = /blocked by the content security policy/i;

/** Sends one prompt each: allowed, blocked, with a blocked response, redacted. */
export async function checkAgents(
  folder: string,
  connection: Connection,
  testProvider: TestProvider,
  onAgent: (results: readonly CheckResult[]) => void,
): Promise<CheckResult[]> {
  const all: CheckResult[] = [];
  for (const agent of codingAgents(connection)) {
    const ask = async (prompt: string, text: string): Promise<string> => {
      await testProvider.reset();
      testProvider.answer(scriptFor({ text }));
      return await runAgent(folder, agent, prompt);
    };
    const results: CheckResult[] = [];
    const note = (check: string, isPassed: boolean, output: string) =>
      results.push({
        ...{ client: agent.name, check, isPassed },
        detail: `${testProvider.requests.length} requests reached the provider; ${output.slice(-150)}`,
      });
    const allowed = await ask('What is the capital of France?', 'It is Paris.');
    note('allowed', allowed.includes('It is Paris.'), allowed);
    const usual = testProvider.requests.length;
    const prompt = await ask(ATTACK, 'Hello');
    note('blocked prompt', REASON.test(prompt) && testProvider.requests.length === 0, prompt);
    const response = await ask('Hello there', SECRET);
    // Some agents send a second request for a title.
    note('blocked response', REASON.test(response) && testProvider.requests.length <= usual, response);
    const card = await ask(`My card is ${CARD}. Is it a Visa?`, 'Yes.');
    const bodies = testProvider.requests.map(({ body }) => body.toString());
    note('redaction', bodies.length > 0 && !bodies.some((body) => body.includes(CARD)), card);
    onAgent(results);
    all.push(...results);
  }
  return all;
}

/** Resolves to the agent's output, with a temporary home folder. */
async function runAgent(folder: string, agent: CodingAgent, prompt: string): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), 'csg-agent-'));
  try {
    for (const [name, text] of Object.entries(agent.files ?? {})) {
      mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
      writeFileSync(path.join(home, name), text);
    }
    const child = spawn(path.join(folder, 'node_modules', agent.program), [...agent.args(prompt)], {
      ...{ cwd: home, stdio: ['ignore', 'pipe', 'pipe'], timeout: RUN_MS, killSignal: 'SIGKILL' },
      // opencode installs its provider package on its first start.
      env: {
        ...{ PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: path.join(folder, 'cache'), CI: '1' },
        ...agent.env,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Buffer) => {
        output += piece;
      });
    }
    return await new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', () => resolve(output));
    });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}
