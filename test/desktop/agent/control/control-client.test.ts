import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { connectControl } from '../../../../apps/desktop/src/agent/control/control-client.ts';
import { openControlServer } from '../../../../apps/desktop/src/agent/control/control-server.ts';
import { serviceRequests } from '../../../../apps/desktop/src/agent/service/service-requests.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const file = path.join(tempFolder('control'), 'control.json');

test('no file, a damaged one and one of an agent that is gone: no agent', async () => {
  assert.equal(await connectControl(file), null);
  for (const text of ['{', '{"port":1}', '{"port":1,"token":"t","pid":1}']) {
    writeFileSync(file, text);
    assert.equal(await connectControl(file), null, text);
  }
});

test('sends requests, gets responses or errors, receives events, and learns of the end', async () => {
  const recent = {
    event_id: 'e',
    at: '',
    host: 'h',
    direction: 'input',
    decision: 'block',
    done: 'blocked',
    decided_by: 'device',
    threat_type: null,
    reason: null,
    why: null,
  };
  const server = await openControlServer({
    status: () => {
      throw new Error('Not yet.');
    },
    recent: () => [recent],
    sight: () => null,
    ...serviceRequests(() => null),
    'try-again': () => null,
    stop: () => null,
  });
  writeFileSync(file, JSON.stringify(server.address));
  const heard = Promise.withResolvers<unknown>();
  const client = await connectControl(file, heard.resolve);
  assert.ok(client !== null);
  assert.deepEqual(await client.call('recent'), [recent]);
  await assert.rejects(client.call('status'), /Not yet\./);
  server.broadcast({ event: 'decision', decision: recent });
  assert.deepEqual(await heard.promise, { event: 'decision', decision: recent });
  await server.close();
  await client.closed;
});
