/**
 * What the record of a request costs alone: a decision on the prompt, one on the answer and one request counted,
 * through the real storage, 32 at a time as under load. In a process of its own; prints one JSON object.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newEventId, newId } from '../../apps/cloud/src/storage/ids.ts';
import { openStorage } from '../../apps/cloud/src/storage/open-storage.ts';
import type { DecisionRecord } from '../../apps/cloud/src/storage/storage.ts';
import { median } from './statistics.ts';

export interface RecordCost {
  /** CPU of the whole process for two decisions and one count, in microseconds; batches of 32 requests. */
  readonly cpuUsPerRequest: number;
}

const PER_BATCH = 32;
const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-bench-record-'));
const storage = await openStorage({ dataDir, masterKey: randomBytes(32), now: Date.now });
const ids = { organization: newId('org'), project: newId('proj'), key: newId('key'), account: newId('usr') };

function decision(direction: 'input' | 'output', requestId: string): DecisionRecord {
  const nowMs = Date.now();
  const id = newEventId(nowMs);
  return {
    event: {
      id,
      organizationId: ids.organization,
      projectId: ids.project,
      keyId: ids.key,
      deviceId: null,
      requestId,
      direction,
      route: 'chat/completions',
      model: 'gpt-4o-bench',
      decision: 'allow',
      threatType: null,
      confidence: 0,
      findings: [],
      unscanned: [],
      failed: null,
      latencyUs: 40,
      atMs: nowMs,
    },
    audit: {
      kind: 'policy_allow',
      actor: ids.key,
      subject: id,
      atMs: nowMs,
      data: {
        decision: 'allow',
        direction,
        route: 'chat/completions',
        project_id: ids.project,
        threat_type: null,
      },
    },
  };
}

async function request(): Promise<void> {
  const requestId = newId('req');
  await storage.usage.admit({ accountId: ids.account, limit: null, device: false, nowMs: Date.now() });
  await storage.decisions.record(decision('input', requestId));
  await storage.decisions.record(decision('output', requestId));
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
