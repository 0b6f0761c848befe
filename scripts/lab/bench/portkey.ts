import path from 'node:path';
import { freePort } from '../../../test/support/free-port.ts';
import { installPackages } from '../../install-packages.ts';
import { type StartedProcess, startProcess, TARGET_CORE } from './start-process.ts';

const VERSION = '1.15.2';
/** Newer ones break its streaming. */
const NODE_SERVER = '1.3.3';

/** Rejects with one sentence when that cannot be done; the benchmark then goes on without it. */
export function installPortkey(folder: string): Promise<void> {
  return installPackages(folder, { ['@portkey-ai/gateway']: VERSION }, { '@hono/node-server': NODE_SERVER });
}

/** What a cautious user would write: the best-known phrasings, in one pattern. */
const PATTERN = [
  'ignore (all |any )?(the )?(previous|prior|above) (instructions|prompts|rules)',
  'disregard (all |any )?(the )?(previous|prior|above)',
  'forget (everything|all|your) (instructions|rules|above)',
  'you are now (dan|in developer mode|jailbroken)',
  '(reveal|print|show|repeat) (me )?(your|the) (system )?prompt',
  'do anything now',
  'pretend (to be|you are)',
  'without (any )?(restrictions|filters|limits)',
].join('|');

export interface PortkeyProcess {
  readonly started: StartedProcess;
  readonly url: string;
  readonly plain: Readonly<Record<string, string>>;
  readonly guarded: Readonly<Record<string, string>>;
}

export async function startPortkey(folder: string, providerUrl: string): Promise<PortkeyProcess> {
  const port = await freePort();
  const started = await startProcess({
    cores: TARGET_CORE,
    command: [
      process.execPath,
      path.join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js'),
      `--port=${port}`,
      '--headless',
    ],
    env: { NODE_ENV: 'production' },
    cwd: folder,
    ready: /Ready for connections/,
  });
  const host = `${providerUrl}/v1`;
  const check = { 'default.regexMatch': { rule: PATTERN, not: true }, deny: true };
  return {
    started,
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    plain: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': host },
    guarded: {
      'x-portkey-config': JSON.stringify({
        provider: 'openai',
        custom_host: host,
        input_guardrails: [check],
        output_guardrails: [check],
      }),
    },
  };
}
