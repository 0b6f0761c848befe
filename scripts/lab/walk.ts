/** `npm run lab -- walk [FOLDER]`: through how many files and folders one request or scan goes, and how often back. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArguments } from '../options.ts';
import { countWalk } from './walk/count-walk.ts';
import { recordCalls } from './walk/record-calls.ts';

const { operands } = readArguments({
  command: 'npm run lab -- walk',
  about:
    'Counts the files and folders whose functions run for one allowed chat request or scan. Returns: calls by which a chain of calls goes into a folder that it had left. FOLDER: another revision, with its packages.',
  operands: '[FOLDER]',
  options: {},
});
const root = path.resolve(operands[0] ?? path.join(import.meta.dirname, '../..'));
const ENGINE = 'shared/detection';
const RELAY = 'apps/cloud/src/flows/relay-completion.ts';
const SYSTEM = 'You answer questions about geography.';
const USER = 'What is the capital of France, and how many people live there?';

type Gateways = typeof import('../../test/support/gateway.ts');
type Providers = typeof import('../../test/support/test-provider.ts');
type Engine = typeof import('../../shared/detection/index.ts');

const load = async <T>(file: string): Promise<T> =>
  (await import(pathToFileURL(path.join(root, file)).href)) as T;
const { record } = recordCalls(root);
const { startGateway } = await load<Gateways>('test/support/gateway.ts');
const { startTestProvider } = await load<Providers>('test/support/test-provider.ts');
const { compileRuleset, scan, Workspace } = await load<Engine>('shared/detection/index.ts');

function print(name: string, calls: Awaited<ReturnType<typeof record>>, whole: readonly string[]): void {
  const { files, folders, modules, returns, readingReturns } = countWalk(calls, whole);
  console.log(
    `${name}: ${files} files in ${folders} folders of ${modules} modules; returns: ${returns}; of who reads the files in this order: ${readingReturns}`,
  );
}

const provider = await startTestProvider();
const gateway = await startGateway({ providerUrl: provider.url, isOwn: true });
provider.answer({ text: 'Paris, with two million people.' });
const messages = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: USER },
];
const chat = async () => {
  const body = { model: 'gpt-test', messages };
  const response = await gateway.call('POST', '/api/v1/chat/completions', { bearer: 'test', body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
};
try {
  // What only the first request loads and caches is not part of it.
  await chat();
  print('request', await record(RELAY, chat), [ENGINE]);
  const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
  const slots = [{ path: '', role: 'user', text: USER } as const];
  const scanned = async () => void scan(slots, ruleset, 'input', { workspace: new Workspace() });
  print('scan', await record(`${ENGINE}/engine.ts`, scanned), []);
} finally {
  await gateway.close();
  await provider.close();
}
