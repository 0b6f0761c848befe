import type { ComparedAgent } from './agents.ts';

const PROGRAM = 'sdk-agent.ts';

const sdk = (
  name: string,
  version: Pick<ComparedAgent, 'package' | 'versions' | 'host'>,
  kind: string,
): ComparedAgent => ({
  ...{ name, ...version, own: PROGRAM, programs: [`${version.package}/package.json`] },
  // They are no agents: no modes, no servers, and their program compacts nothing.
  lacks: ['plan mode', 'compaction', 'MCP server'],
  args: ({ task, prompt, isSecond }) => [
    ...[kind, prompt],
    ...(task.mode === 'image' ? ['image'] : []),
    ...(isSecond ? ['again'] : []),
  ],
  env: ({ url, key, folder }) => ({ BASE_URL: url, SERVICE_KEY: key, PACKAGES: folder }),
});

const OPENAI = { package: 'openai', versions: ['7.59.0', '6.10.0'], host: 'api.openai.com' } as const;

/** The providers' own packages, each in a program that runs tools as a coding agent does. */
export const SDKS: readonly ComparedAgent[] = [
  sdk('openai, chat', OPENAI, 'chat'),
  sdk('openai, responses', OPENAI, 'responses'),
  sdk(
    '@anthropic-ai/sdk',
    { package: '@anthropic-ai/sdk', versions: ['1.14.0', '0.70.1'], host: 'api.anthropic.com' },
    'messages',
  ),
  sdk(
    '@google/genai',
    {
      ...{ package: '@google/genai', versions: ['3.3.0', '1.31.0'] },
      host: 'generativelanguage.googleapis.com',
    },
    'gemini',
  ),
];
