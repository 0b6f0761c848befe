import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import path from 'node:path';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { startCompanyProxy } from '../../support/company-proxy.ts';
import { cleanEnvironment, newAuthority } from '../../support/desktop/certificates.ts';
import { runCommand } from '../../support/run-command.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CHANNEL = path.resolve(import.meta.dirname, '../../../apps/desktop/src/cloud-client/live-channel.ts');
const HOST = 'gateway.company.example';

test('connects over TLS through the company’s proxy, with its password', async () => {
  const authority = await newAuthority([HOST]);
  const leaf = await authority.issuer.leafFor(HOST, Date.now());
  const server = createServer({ cert: leaf.chain, key: leaf.key });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send('{"type":"config-changed","policy_version":"pv_1"}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const company = await startCompanyProxy({ credentials: 'kim:secret', leadTo: () => port });
  const ca = path.join(tempFolder('channel'), 'ca.pem');
  writeFileSync(ca, authority.root.pem);
  // A process of its own, because Node reads its trusted roots at startup.
  const script = `
    import { openLiveChannel } from '${CHANNEL}';
    const channel = openLiveChannel({
      url: 'https://${HOST}', apiKey: 'k', proxy: '${company.url}', random: () => 0, onOpen: () => {},
      onMessage: ({ policy_version }) => { console.log(policy_version); channel.close(); },
    });`;
  const args = ['--input-type=module-typescript', '-e', script];
  const env = { ...cleanEnvironment(), NODE_EXTRA_CA_CERTS: ca };
  const { stdout, stderr } = await runCommand(process.execPath, args, { env }).ended;
  assert.equal(stdout, 'pv_1\n', stderr);
  assert.deepEqual(company.asked, [`CONNECT ${HOST}:443`]);
  sockets.close();
  server.closeAllConnections();
  server.close();
  await company.close();
});
