import type { ErrorKind } from './errors.ts';

/** What the model asks of the agent in one turn; the stand-in finds the agent's own tool for it. */
export type Step =
  | { readonly do: 'read'; readonly file: string }
  | { readonly do: 'edit'; readonly file: string; readonly before: string; readonly after: string }
  | { readonly do: 'shell'; readonly command: string }
  | { readonly do: 'mcp'; readonly text: string }
  /** Agents with many tools name those of servers, and load them when they are searched for. */
  | { readonly do: 'find'; readonly tool: string };

export interface Task {
  readonly name: string;
  readonly prompt: string;
  readonly steps: readonly Step[];
  /** The prompt of a second start that continues the first. */
  readonly followUp?: string;
  /** What a request carries once the agent did its part. */
  readonly proof?: string;
  /** How the agent is started: it only plans, it has a server of tools, it is shown an image. */
  readonly mode?: 'plan' | 'mcp' | 'image' | 'compact';
  /** The provider refuses every request once the steps are done. */
  readonly error?: ErrorKind;
}

const RULES = 'Use pnpm. Run the tests before each commit.\nAnswer in one sentence.\n';
export const PAGE =
  '<h1>Cache</h1><p>Entries expire after ten minutes. Questions: cache-team@example.com</p>';
/** Where the page is served; the tasks do not know the port before. */
export const PAGE_URL = 'PAGE_URL';
/** The tool of the server, as most agents name it. */
export const MCP_TOOL = 'mcp__notes__lookup_note';
/** What it answers. */
export const NOTE = 'The cache was written by Mara Lind (mara.lind@norrvik-post.example).';

/** The files of the folder in which the agent works. */
export const WORKSPACE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'QWEN.md'].map((name) => [name, RULES])),
  'cache.js': "export const cache = new Map();\nexport const author = 'Mara Lind';\n",
  'cache.test.js':
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { cache } from './cache.js';\n\ntest('has one entry', () => assert.equal(cache.size, 1));\n",
  'package.json': '{\n  "name": "cache",\n  "type": "module",\n  "version": "1.0.0"\n}\n',
};

const READ = { do: 'read', file: 'cache.js' } as const;

export const TASKS: readonly Task[] = [
  { name: 'rule file', prompt: 'How is the cache built?', steps: [READ], proof: 'Use pnpm.' },
  {
    name: 'edit',
    prompt: 'Name Jonas Berg as the second author.',
    steps: [READ, { do: 'edit', file: 'cache.js', before: "'Mara Lind'", after: "'Mara Lind, Jonas Berg'" }],
  },
  {
    name: 'shell',
    prompt: 'Which files are there?',
    steps: [{ do: 'shell', command: 'ls; cat package.json; getent passwd root; echo getty@tty1.service' }],
  },
  {
    name: 'git log',
    prompt: 'Who changed the cache last?',
    proof: 'Author: Mara Lind',
    steps: [
      { do: 'shell', command: 'git log --format=full' },
      {
        do: 'shell',
        command:
          "git -c user.name=A -c user.email=a@example.com commit --allow-empty -q -m 'Name the authors' -m 'Co-Authored-By: Jonas Berg <jonas.berg@norrvik-post.example>'; git log -1",
      },
    ],
  },
  {
    name: 'failing test',
    prompt: 'Why does the test fail?',
    steps: [{ do: 'shell', command: 'node --test --test-reporter=tap | grep -v duration' }, READ],
    proof: 'not ok 1',
  },
  {
    name: 'web page',
    prompt: 'What does the page say about the cache?',
    steps: [{ do: 'shell', command: `curl -s ${PAGE_URL}` }],
    proof: 'Entries expire after ten minutes.',
  },
  { name: 'plan mode', prompt: 'How would you limit the size of the cache?', steps: [READ], mode: 'plan' },
  { name: 'resume', prompt: 'How is the cache built?', steps: [READ], followUp: 'And who wrote it?' },
  {
    name: 'compaction',
    prompt: 'How is the cache built?',
    steps: [READ, READ],
    followUp: 'And who wrote it?',
    mode: 'compact',
  },
  {
    name: 'image',
    prompt: 'What is on the picture pixel.png?',
    steps: [{ do: 'read', file: 'pixel.png' }],
    mode: 'image',
  },
  {
    name: 'MCP server',
    prompt: 'Look the author up in the notes.',
    steps: [
      { do: 'find', tool: MCP_TOOL },
      { do: 'mcp', text: 'author of the cache' },
    ],
    proof: NOTE,
    mode: 'mcp',
  },
  ...(['quota', 'overload', 'context length', 'credit'] as const).map((error) => ({
    ...{ name: `error: ${error}`, prompt: 'How is the cache built?', steps: [], error },
  })),
  {
    name: 'error: invalid image',
    prompt: 'What is on the picture pixel.png?',
    steps: [{ do: 'read', file: 'pixel.png' }],
    mode: 'image',
    error: 'invalid image',
  },
];
