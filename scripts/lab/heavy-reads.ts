/**
 * `npm run lab -- heavy-reads [--events N]`: how long a guard call of 1 KB takes while people read much: an export of
 * everything and searches that find nothing. Prints one JSON object.
 */
import { Worker } from 'node:worker_threads';
import { signInAs, type TestBrowser } from '../../test/support/browser.ts';
import { seedDashboard } from '../../test/support/dashboard-test-env.ts';
import { startGateway } from '../../test/support/gateway.ts';
import { readOptions } from '../options.ts';

const values = readOptions({
  command: 'npm run lab -- heavy-reads',
  about: 'Measures guard calls while people export and search. Prints one JSON object.',
  options: { events: { type: 'string', value: 'N', default: '200000', help: 'Number of stored events' } },
});
const events = Number(values.events);
const gateway = await startGateway();
await gateway.storage.subscriptions.set(gateway.account.accountId, { perMinute: 1_000_000 });
await seedDashboard(gateway, events);
const owner = await signInAs(gateway, 'owner');

const warm = await measure(async () => {
  const until = performance.now() + 1_000;
  while (performance.now() < until) await owner.call('GET', '/session');
});
const alone = await measure(async () => {
  const until = performance.now() + 2_000;
  while (performance.now() < until) await owner.call('GET', '/session');
});
const exported = await measure(() => readAll(owner, '/events?format=csv'));
const searched = await measure(async () => {
  for (let i = 0; i < 10; i++) await owner.call('GET', `/events?q=nothing-has-this-name-${i}`);
});
const both = await measure(async () => {
  await Promise.all([
    readAll(owner, '/events?format=jsonl'),
    ...[1, 2, 3].map((i) => owner.call('GET', `/events?q=no-such-name-${i}`)),
    owner.call('GET', '/overview?span=30d'),
  ]);
});
console.log(JSON.stringify({ events, warm, alone, exported, searched, both }, null, 2));
await gateway.close();

async function readAll(browser: TestBrowser, path: string): Promise<void> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${gateway.address}/dashboard${path}`, { headers: { cookie } });
  for await (const _ of response.body!);
}

async function measure(work: () => Promise<unknown>) {
  const client = new Worker(new URL('./bench/heavy-reads-client.ts', import.meta.url), {
    workerData: { address: gateway.address, key: gateway.key },
  });
  const done = new Promise<number[]>((resolve, reject) =>
    client.once('message', resolve).once('error', reject),
  );
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1000;
  client.postMessage('stop');
  const times = (await done).sort((a, b) => a - b);
  const at = (share: number) => Math.round((times[Math.ceil(share * times.length) - 1] ?? 0) * 10) / 10;
  return {
    seconds: Math.round(seconds * 10) / 10,
    calls: times.length,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
  };
}
