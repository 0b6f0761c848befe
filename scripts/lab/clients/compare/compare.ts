import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { startGateway } from '../../../../test/support/gateway.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { startTestProvider, type TestProvider } from '../../../../test/support/test-provider.ts';
import { PROVIDER_KEY } from '../client.ts';
import { canDo } from './agents.ts';
import { startDevice } from './device.ts';
import {
  type Compared,
  compareOutcomes,
  compareRequests,
  type Difference,
  type Outcome,
  type Way,
} from './differences.ts';
import { OUR_SENTENCE } from './errors.ts';
import { explanationOf } from './explained.ts';
import { ANSWER, scriptOf } from './model.ts';
import { type Installed, runTask } from './run-task.ts';
import { startTap, type Tap, type Target } from './tap.ts';
import { PAGE, type Task } from './tasks.ts';

/** What a model takes at the least: agents load parts of themselves meanwhile. */
const MODEL_MS = 200;

interface Stage {
  readonly provider: TestProvider;
  readonly tap: Tap;
  readonly targets: (host: string) => Promise<Readonly<Record<Way | 'direct', Target>>>;
  readonly key: string;
  readonly pageUrl: string;
  readonly place: string;
}

/** Runs each task with each client directly, through the gateway and through the device, and compares. */
export async function compareClients(
  clients: readonly Installed[],
  tasks: readonly Task[],
  ways: readonly Way[],
  onCompared: (compared: Compared) => void,
  modelMs = MODEL_MS,
): Promise<Compared[]> {
  const all: Compared[] = [];
  await onStage(ways, modelMs, async (stage) => {
    for (const client of clients)
      for (const task of tasks.filter(({ name }) => canDo(client.agent, client.version, name))) {
        const compared = await compareTask(stage, client, task, ways);
        all.push(compared);
        onCompared(compared);
      }
  });
  return all;
}

/** A task that only shows or calls something else is run again: so a busy computer or a client's own race does, too. */
async function compareTask(
  stage: Stage,
  client: Installed,
  task: Task,
  ways: readonly Way[],
): Promise<Compared> {
  const compared = await compareOnce(stage, client, task, ways);
  const unexplained = ways.flatMap((way) =>
    (compared.differences[way] ?? []).filter((one) => explanationOf(compared, way, one) === null),
  );
  const isUnsure = unexplained.length > 0 && unexplained.every(({ what }) => UNSURE.has(what));
  return isUnsure ? await compareOnce(stage, client, task, ways) : compared;
}

const UNSURE: ReadonlySet<Difference['what']> = new Set(['calls', 'shown', 'failed']);

async function compareOnce(
  stage: Stage,
  client: Installed,
  task: Task,
  ways: readonly Way[],
): Promise<Compared> {
  const { agent, version } = client;
  const targets = await stage.targets(agent.host);
  const direct = await runOnce(stage, client, task, targets.direct);
  const differences: Partial<Record<Way, readonly Difference[]>> = {};
  for (const way of ways) {
    const { requests, outcome } = await runOnce(stage, client, task, targets[way]);
    // Of the provider's error the gateway says whose it is; everything else a client shows is compared.
    const shown = task.error === undefined ? outcome.shown : outcome.shown.replace(OUR_SENTENCE, '');
    differences[way] = [
      ...requests,
      ...failure(direct.outcome, task),
      ...compareOutcomes(direct.outcome, { ...outcome, shown }),
    ];
  }
  return { client: agent.name, version, task: task.name, differences, calls: direct.outcome.calls };
}

/** A task that does not work without the gateway proves nothing. */
function failure(
  { calls, shown, hasProof, hasEnded }: Outcome,
  { steps, error, followUp }: Task,
): Difference[] {
  if (!hasEnded) return [{ what: 'failed', detail: `it had to be stopped, after ${calls} calls` }];
  // One for each step, but for a search that not every agent needs, one for the answer, and one for a second prompt.
  const needed = steps.filter((step) => step.do !== 'find').length + (followUp === undefined ? 0 : 1);
  if (calls > needed && hasProof && (error !== undefined || shown.includes(ANSWER))) return [];
  const end = JSON.stringify(shown.slice(-100));
  const proof = hasProof ? '' : ' and no proof';
  return [{ what: 'failed', detail: `${calls} calls for ${needed} steps${proof} without it, ${end}` }];
}

async function runOnce(
  { provider, tap, key, pageUrl, place }: Stage,
  client: Installed,
  task: Task,
  target: Target,
): Promise<{ readonly requests: readonly Difference[]; readonly outcome: Outcome }> {
  await provider.reset();
  provider.answer(scriptOf(task, { workspace: path.join(place, 'work'), pageUrl }));
  tap.target = target;
  tap.sent.length = 0;
  const run = await runTask(client, task, { url: tap.url, key, place });
  const requests = compareRequests(tap.sent, provider.requests);
  const calls = provider.requests.filter(isCall);
  const hasProof = calls.some(({ body }) => body.includes(task.proof ?? ''));
  return { requests, outcome: { ...run, calls: calls.length, hasProof } };
}

const isCall = ({ method, url }: { readonly method: string; readonly url: string }): boolean =>
  method === 'POST' && !/count_?tokens/i.test(url);

/** The stand-ins, the gateway and, if it is compared, a device. */
async function onStage(
  ways: readonly Way[],
  delayMs: number,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const provider = await startTestProvider({ delayMs });
  const gateway = await startGateway({ providerUrl: provider.url });
  const tap = await startTap();
  const page = createServer((_request, response) => response.end(PAGE)).listen(0, '127.0.0.1');
  await once(page, 'listening');
  const providerPort = Number(new URL(provider.url).port);
  const device = ways.includes('device') ? await startDevice(providerPort) : null;
  try {
    const { accountId, organizationId, projectId } = gateway.account;
    await gateway.storage.subscriptions.set(accountId, { perMinute: 1_000_000 });
    for (const name of ['openai', 'anthropic', 'gemini'])
      await gateway.storage.projects.setCredential(organizationId, projectId, name, PROVIDER_KEY);
    const direct: Target = { port: providerPort, prefix: '' };
    const through: Target = { port: Number(new URL(gateway.address).port), prefix: '/api' };
    await run({
      ...{ provider, tap, key: gateway.key, place: tempFolder('compare') },
      pageUrl: `http://127.0.0.1:${(page.address() as AddressInfo).port}/`,
      targets: async (host) => ({
        ...{ direct, gateway: through },
        device: { ...direct, host, connect: () => device!.connect(host) },
      }),
    });
  } finally {
    await device?.close();
    page.close();
    await tap.close();
    await gateway.close();
    await provider.close();
  }
}
