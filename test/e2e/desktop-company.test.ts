/** A network whose only route to providers and service is the company's proxy, which requires a password. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { after, before, test } from 'node:test';
import { createServer, type Server } from 'node:tls';
import { type CompanyProxy, startCompanyProxy } from '../support/company-proxy.ts';
import {
  type AgentTestEnv,
  ATTACK,
  CARD,
  HARMLESS,
  openAgentTestEnv,
} from '../support/desktop/agent-test-env.ts';
import { newAuthority } from '../support/desktop/certificates.ts';
import { curl, noCurl } from '../support/desktop/curl.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SERVICE = 'gateway.company.example';
let testEnv: AgentTestEnv;
let company: CompanyProxy;
let front: Server;

before(async () => {
  const authority = await newAuthority([SERVICE]);
  const leaf = await authority.issuer.leafFor(SERVICE, Date.now());
  const ca = path.join(tempFolder('company'), 'service-ca.pem');
  writeFileSync(ca, authority.root.pem);
  let servicePort = 0;
  company = await startCompanyProxy({
    credentials: 'kim:secret',
    leadTo: (authority) =>
      authority.startsWith(SERVICE)
        ? servicePort
        : authority.startsWith('chatgpt.com')
          ? testEnv.testProvider.port
          : null,
  });
  testEnv = await openAgentTestEnv({
    providerHosts: ['chatgpt.com'],
    agentEnv: () => ({ AGENT_UPSTREAM_PROXY: company.url, NODE_EXTRA_CA_CERTS: ca }),
    async frontOf(address) {
      const { port } = new URL(address);
      front = createServer({ cert: leaf.chain, key: leaf.key }, (socket) => {
        pipeline(socket, connect(Number(port), '127.0.0.1'), socket, () => {});
      });
      front.listen(0, '127.0.0.1');
      await once(front, 'listening');
      servicePort = (front.address() as AddressInfo).port;
      return `https://${SERVICE}`;
    },
  });
});
after(async () => {
  await testEnv.close();
  await company.close();
  front.close();
});

test('enrolls, evaluates and reports through the company’s proxy', { skip: noCurl }, async () => {
  await testEnv.start();
  const port = await testEnv.proxyPort();
  assert.equal((await testEnv.agent.status()).service_reachable, true);
  assert.equal((await testEnv.agent.run('status')).code, 0);
  assert.match(
    (await testEnv.agent.run('doctor')).stdout,
    /^ok {5}service: https:\/\/gateway\.company\.example responds/m,
  );
  const ask = async (text: string) => {
    const ca = await testEnv.agent.run('ca', '--print');
    return curl(port, ca.stdout, [
      ...['-H', 'content-type: application/json'],
      ...['-d', JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] })],
      'https://chatgpt.com/v1/chat/completions',
    ]);
  };
  assert.equal((await ask(HARMLESS)).status, 200);
  await ask(CARD);
  assert.match(testEnv.lastPrompt(), /\[CREDIT_CARD\]/);
  const refused = await ask(ATTACK);
  assert.equal(refused.status, 403);
  const [, id = ''] = /(evt_\w+)/.exec(refused.stdout) ?? [];
  const shown = await testEnv.operator.run(['events', 'show', id]);
  assert.equal(shown.code, 0, `the service did not evaluate ${id}: ${shown.stderr}`);
  assert.ok(company.asked.some((line) => line.includes(SERVICE)));
});

test('doctor reports a wrong proxy password in one sentence', { skip: noCurl }, async () => {
  const wrong = testEnv.agent.with({ AGENT_UPSTREAM_PROXY: company.url.replace('kim:secret', 'kim:wrong') });
  const doctor = await wrong.run('doctor');
  assert.match(doctor.stdout, /^FAULT {2}service: The service gateway\.company\.example cannot be reached/m);
});
