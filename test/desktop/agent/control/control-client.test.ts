import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import {
  AgentUnresponsiveError,
  type ControlOptions,
  connectControl,
} from '../../../../apps/desktop/src/agent/control/control-client.ts';
import { openControlServer } from '../../../../apps/desktop/src/agent/control/control-server.ts';
import { serviceRequests } from '../../../../apps/desktop/src/agent/service/service-requests.ts';
import { readSettings } from '../../../../apps/desktop/src/agent/settings/read-settings.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { readStatus } from '../../../../apps/desktop/src/agent/status/read-status.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const stateDir = tempFolder('control');
const settings = readSettings({ HOME: stateDir, AGENT_STATE_DIR: stateDir });
const files = stateFiles(settings.stateDir);
const file = files.control;

test('returns null if the control file is missing, damaged or of an agent that ended', async () => {
  assert.equal(await connectControl(file), null);
  for (const text of ['{', '{"port":1}', '{"port":1,"token":"t","pid":1}']) {
    writeFileSync(file, text);
    assert.equal(await connectControl(file), null, text);
  }
});

test('sends requests, gets responses or errors, receives events, and notices the end', async () => {
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
  const client = await connectControl(file, { onFrame: heard.resolve });
  assert.ok(client !== null);
  assert.deepEqual(await client.call('recent'), [recent]);
  await assert.rejects(client.call('status'), /Not yet\./);
  server.broadcast({ event: 'decision', decision: recent });
  assert.deepEqual(await heard.promise, { event: 'decision', decision: recent });
  await server.close();
  await client.closed;
});

/** Notices come long before the limit, so that a busy computer does not change their order. */
function shortTimes(limits: { readonly connectMs?: number; readonly callMs?: number }) {
  const notices: string[] = [];
  const options: ControlOptions = {
    onWait: (sentence) => notices.push(sentence),
    times: { connectMs: 60_000, callMs: 60_000, noticeMs: 20, ...limits },
  };
  return { notices, options };
}

test('an agent that stalls after connecting is reported after a limit, and to the user before it', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => socket.pause());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  writeFileSync(file, JSON.stringify({ port, token: 't', pid: process.pid }));
  const { notices, options } = shortTimes({ callMs: 200 });
  const client = await connectControl(file, options);
  assert.ok(client !== null);
  const sentence = `The agent did not respond within 0.2 seconds. If this continues, end the process ${process.pid} and run "agent run".`;
  await assert.rejects(client.call('try-again'), new AgentUnresponsiveError(process.pid, 200));
  // On a slow computer, connecting may take as long.
  assert.match(
    notices.join('\n'),
    /^The agent has not responded for 0\.02 seconds; waiting for up to (0\.2|60) seconds\.$/,
  );
  await assert.rejects(client.call('stop'), AgentUnresponsiveError);
  assert.equal(notices.length, 1, 'reported once');
  client.close();
  // Needs no response.
  await client.closed;

  const status = await readStatus({ settings, files }, options);
  assert.deepEqual([status.problem, status.running], [sentence, false]);
  server.close();
});

test('if an agent does not accept the connection, null is returned after a limit, and a notice comes before it', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  writeFileSync(file, JSON.stringify({ port, token: 't', pid: process.pid }));
  const { notices, options } = shortTimes({ connectMs: 200 });
  assert.equal(await connectControl(file, options), null);
  assert.deepEqual(notices, ['The agent has not responded for 0.02 seconds; waiting for up to 0.2 seconds.']);
  server.close();
});

test('an agent that responds in time leaves no timer behind', async () => {
  const server = await openControlServer({
    ...serviceRequests(() => null),
    status: () => assert.fail(),
    recent: () => [],
    sight: () => null,
    'try-again': () => null,
    stop: () => null,
  });
  writeFileSync(file, JSON.stringify(server.address));
  const client = await connectControl(file, { onWait: assert.fail });
  await client?.call('recent');
  client?.close();
  await client?.closed;
  await server.close();
  assert.deepEqual(
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout'),
    [],
  );
});
