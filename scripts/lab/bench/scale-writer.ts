/** One of several processes that record decisions on one PostgreSQL. Arguments: its address, organizations, seconds. Prints a JSON object. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '../../../apps/cloud/src/storage/ids.ts';
import { openStorage } from '../../../apps/cloud/src/storage/open-storage.ts';
import { madeDecision } from './made-decision.ts';

const AT_ONCE = 512;
const [databaseUrl = '', organizations = '', seconds = '1'] = process.argv.slice(2);
const names = organizations.split(',');
const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-bench-scale-'));
const storage = await openStorage({ databaseUrl, dataDir, masterKey: Buffer.alloc(32, 7), now: Date.now });
const until = performance.now() + Number(seconds) * 1000;
let decisions = 0;
while (performance.now() < until) {
  const batch = Array.from({ length: AT_ONCE }, (_, n) =>
    storage.decisions.record(madeDecision(names[n % names.length]!, 'input', newId('req'))),
  );
  await Promise.all(batch);
  decisions += AT_ONCE;
}
await storage.close();
rmSync(dataDir, { recursive: true });
console.log(JSON.stringify({ decisions }));
