/**
 * `npm run lab -- clients`: tests published model client packages through the gateway. Installs them into a separate folder,
 * with a stand-in provider at the other end, and prints the results.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startGateway } from '../../test/support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../test/support/test-provider.ts';
import { installPackages } from '../install-packages.ts';
import { readOptions } from '../options.ts';
import { aiClients } from './clients/ai-clients.ts';
import { type CheckResult, checkClient, tableOf } from './clients/checks.ts';
import { type ClientGroup, type Connection, type LoadPackage, PROVIDER_KEY } from './clients/client.ts';
import { bedrockClients, googleClients } from './clients/cloud-clients.ts';
import { AGENT_PACKAGES, checkAgents } from './clients/coding-agents.ts';
import { runComparison } from './clients/compare/run-comparison.ts';
import {
  agentsClients,
  langchainClients,
  llamaIndexClients,
  mastraClients,
} from './clients/framework-clients.ts';
import { PACKAGES } from './clients/packages.ts';
import { sdkClients } from './clients/sdk-clients.ts';

const GROUPS: readonly ClientGroup[] = [
  ...[sdkClients, googleClients, bedrockClients, aiClients],
  ...[langchainClients, agentsClients, llamaIndexClients, mastraClients],
];

/** Failures that are not ours to fix: by client, the checks that fail. */
const KNOWN: Readonly<Record<string, { readonly checks: readonly string[]; readonly why: string }>> = {
  'LangChain.js, ChatGoogleGenerativeAI': {
    checks: ['blocked response, streamed', 'abort'],
    why: 'its stream parser ignores frames with an event name, and keeps the connection of an aborted request open.',
  },
  '@openai/agents': {
    checks: ['blocked response, streamed'],
    why: 'reports only that a response failed; the reason is in the events of the stream.',
  },
  ...Object.fromEntries(
    ['OpenAI', 'Anthropic'].map((name) => [
      `LlamaIndex.TS, ${name}`,
      { checks: ['abort'], why: 'accepts no abort signal.' },
    ]),
  ),
};

/** Starts the gateway and the provider for the clients. */
async function withStack<Result>(
  run: (testProvider: TestProvider, through: Connection, direct: Connection) => Promise<Result>,
): Promise<Result> {
  const testProvider = await startTestProvider();
  const gateway = await startGateway({ providerUrl: testProvider.url });
  try {
    const { accountId, organizationId, projectId } = gateway.account;
    await gateway.storage.subscriptions.set(accountId, { perMinute: 1_000_000 });
    const credentials = {
      ...{ openai: PROVIDER_KEY, anthropic: PROVIDER_KEY, gemini: PROVIDER_KEY },
      bedrock: 'AKIDSTANDIN:secret-of-the-stand-in',
    };
    for (const [provider, secret] of Object.entries(credentials)) {
      await gateway.storage.projects.setCredential(organizationId, projectId, provider, secret);
    }
    const { address, key } = gateway;
    return await run(
      testProvider,
      { v1: `${address}/api/v1`, root: `${address}/api`, bedrock: `${address}/api/v1`, key },
      { v1: `${testProvider.url}/v1`, root: testProvider.url, bedrock: testProvider.url, key },
    );
  } finally {
    await gateway.close();
    await testProvider.close();
  }
}

export async function runClients(
  load: LoadPackage,
  groups = GROUPS,
  onClient: (results: readonly CheckResult[]) => void = () => undefined,
): Promise<CheckResult[]> {
  return withStack(async (testProvider, through, direct) => {
    const results: CheckResult[] = [];
    for (const group of groups) {
      const clients = await group(load, direct);
      for (const [index, client] of (await group(load, through)).entries()) {
        const own = await checkClient({ through: client, direct: clients[index]! }, testProvider);
        onClient(own);
        results.push(...own);
      }
    }
    return results;
  });
}

/** A known failure has to fail: once it passes, it must be removed from the list. */
function isExpected({ client, check, isPassed }: CheckResult): boolean {
  return isPassed !== (KNOWN[client]?.checks.includes(check) ?? false);
}

if (import.meta.main) {
  const { agents, compare, ...chosen } = readOptions({
    command: 'npm run lab -- clients',
    about: 'Runs client packages through the gateway, against a stand-in provider.',
    options: {
      agents: { type: 'boolean', help: 'Run coding agents instead (1.4 GB of packages)' },
      compare: { type: 'boolean', help: 'Compare coding agents with and without the gateway and the device' },
      install: {
        type: 'boolean',
        help: 'With --compare: install what is missing (3 GB, outside of the project)',
      },
      client: { type: 'string', multiple: true, value: 'NAME', help: 'With --compare: only this agent' },
      task: { type: 'string', multiple: true, value: 'NAME', help: 'With --compare: only this task' },
      way: { type: 'string', multiple: true, value: 'WAY', help: 'With --compare: only gateway or device' },
      version: {
        type: 'string',
        multiple: true,
        value: 'VERSION',
        help: 'With --compare: only this version',
      },
      newest: { type: 'boolean', help: 'With --compare: only the newest versions' },
      table: { type: 'string', value: 'FILE', help: 'With --compare: write the results there, as a table' },
    },
  });
  process.exitCode = compare === true ? await runComparison(chosen) : await runChecks(agents === true);
}

async function runChecks(isForAgents: boolean): Promise<0 | 1> {
  const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache');
  const print = (own: readonly CheckResult[]): void => console.log(tableOf(own));
  const results = isForAgents ? await runAgents(cache, print) : await runPackages(cache, print);
  const passed = results.filter(({ isPassed }) => isPassed).length;
  console.log(`\n${passed} of ${results.length} checks passed.`);
  const names = new Set(results.map(({ client }) => client));
  for (const [client, { why }] of Object.entries(KNOWN)) {
    if (names.has(client)) console.log(`\n${client}: ${why}`);
  }
  return results.every(isExpected) ? 0 : 1;
}

type Print = (own: readonly CheckResult[]) => void;

async function runAgents(cache: string, print: Print): Promise<CheckResult[]> {
  const folder = path.join(cache, 'coding-agents');
  await installPackages(folder, AGENT_PACKAGES);
  return withStack((testProvider, through) => checkAgents(folder, through, testProvider, print));
}

async function runPackages(cache: string, print: Print): Promise<CheckResult[]> {
  const folder = path.join(cache, 'clients');
  await installPackages(folder, PACKAGES);
  // A module in that folder, so that packages are resolved there and loaded as ES modules, as in applications.
  const loader = path.join(folder, 'load.mjs');
  writeFileSync(loader, 'export const load = (name) => import(name);\n');
  // Packages that leave a stream's error unhandled fail a check; the other clients still run.
  process.on('unhandledRejection', () => undefined);
  // Otherwise the `ai` package prints each of its warnings.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const { load } = (await import(pathToFileURL(loader).href)) as { readonly load: LoadPackage };
  return runClients(load, GROUPS, print);
}
