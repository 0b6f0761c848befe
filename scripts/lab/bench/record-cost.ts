/**
 * What the record of a request costs alone: a decision on the prompt, one on the answer and one request counted,
 * through the real storage, 32 at a time as under load. In a process of its own; prints one JSON object.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '../../../apps/cloud/src/storage/ids.ts';
import { openStorage } from '../../../apps/cloud/src/storage/open-storage.ts';
import { madeDecision } from './made-decision.ts';
import { median } from './statistics.ts';

export interface RecordCost {
  /** CPU of the whole process for two decisions and one count, in microseconds; batches of 32 requests. */
  readonly cpuUsPerRequest: number;
}

const PER_BATCH = 32;
const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-bench-record-'));
const storage = await openStorage({ dataDir, masterKey: randomBytes(32), now: Date.now });
const organization = newId('org');
const accountId = newId('usr');

async function request(): Promise<void> {
  const requestId = newId('req');
  await storage.usage.admit({ accountId, limit: null, device: false, nowMs: Date.now() });
  await storage.decisions.record(madeDecision(organization, 'input', requestId));
  await storage.decisions.record(madeDecision(organization, 'output', requestId));
}

async function measure(seconds: number): Promise<number> {
  const begun = process.cpuUsage();
  const until = performance.now() + seconds * 1000;
  let requests = 0;
  while (performance.now() < until) {
    await Promise.all(Array.from({ length: PER_BATCH }, request));
    requests += PER_BATCH;
  }
  const used = process.cpuUsage(begun);
  return (used.user + used.system) / requests;
}

const seconds = Number(process.argv[2] ?? 1);
await measure(seconds);
const cpuUsPerRequest = median([await measure(seconds), await measure(seconds), await measure(seconds)]);
await storage.close();
rmSync(dataDir, { recursive: true });
console.log(JSON.stringify({ cpuUsPerRequest } satisfies RecordCost));
