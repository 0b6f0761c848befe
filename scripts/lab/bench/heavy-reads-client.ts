/** In a thread of its own, so that the service's work does not change what is measured: guard calls, one by one. */
import { parentPort, workerData } from 'node:worker_threads';

const { address, key } = workerData as { address: string; key: string };
const body = JSON.stringify({
  messages: [{ role: 'user', content: 'Please summarize the meeting. '.repeat(34) }],
});
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
const times: number[] = [];
while (!isOver) {
  const begun = performance.now();
  const response = await fetch(`${address}/api/v1/guard`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body,
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`guard answered ${response.status}`);
  times.push(performance.now() - begun);
}
parentPort?.postMessage(times);
