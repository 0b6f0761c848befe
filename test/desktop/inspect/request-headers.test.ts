/** Headers that a provider sees are read like the request, also on devices (decisions 5.1). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, describe, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { createGuardClient } from '../../../apps/desktop/src/cloud-client/request-guard.ts';
import type { DevicePolicy, RequestGuard } from '../../../apps/desktop/src/inspect/device-policy.ts';
import { openTls } from '../../support/desktop/clients.ts';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import { startTestStack, type TestStack, testPolicy } from '../../support/desktop/test-stack.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const SSN = '536-90-4399';
const CARD = '4111 1111 1111 1111';
const HOST = 'https://api.openai.com';
const BODY = '{"model":"m","messages":[{"role":"user","content":"What is the capital of France?"}]}';

describe('headers of a request on a device', { skip: noCurl }, () => {
  let gateway: TestGateway;
  let stand: TestStack;
  let guard: ReturnType<typeof createGuardClient>;
  let ask: RequestGuard = async () => ({ kind: 'no-answer', reason: 'unreachable' });
  const sockets = new WebSocketServer({ noServer: true });
  let version = 0;
  const upgrades: Record<string, unknown>[] = [];
  before(async () => {
    gateway = await startGateway();
    const apiKey = await gateway.addDevice();
    guard = createGuardClient({ url: gateway.address, apiKey, now: () => performance.now() });
    stand = await startTestStack({ guard: (...asked) => ask(...asked) });
    stand.testProvider.onUpgrade((request, socket, head) => {
      upgrades.push(request.headers);
      sockets.handleUpgrade(request, socket as never, head, () => {});
    });
  });
  after(async () => {
    sockets.close();
    await stand.close();
    await guard.close();
    await gateway.close();
  });
  beforeEach(() => configure());

  function configure(part: Partial<DevicePolicy> = {}): void {
    stand.events.length = 0;
    // Another version of the policy: what was evaluated before is evaluated again.
    stand.configure({ policy: testPolicy({ policyVersion: `v${++version}`, ...part }) });
  }

  async function send(
    version: string,
    headers: Readonly<Record<string, string>>,
    body: string | null = BODY,
  ) {
    const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const rest =
      body === null
        ? [`${HOST}/v1/models`]
        : ['-H', 'content-type: application/json', '-d', body, `${HOST}/v1/chat/completions`];
    const before = stand.testProvider.requests.length;
    const got = await curl(stand.proxy.port, stand.device.root.pem, [version, ...lines, ...rest]);
    return { got, sent: stand.testProvider.requests[before] };
  }

  for (const judge of ['service', 'device'] as const)
    for (const version of ['--http1.1', '--http2'])
      describe(`judged by the ${judge}, ${version}`, () => {
        beforeEach(() => {
          ask =
            judge === 'service' ? guard.request : async () => ({ kind: 'no-answer', reason: 'unreachable' });
        });

        test('what every client sends passes as it is', async () => {
          const usual = {
            'User-Agent': 'OpenAI/JS 6.3.0',
            'X-Stainless-Runtime-Version': 'v24.1.0',
            'OpenAI-Organization': 'org-abc123',
            'X-Client-Request-Id': '4111111111111111',
            Authorization: `Bearer sk-proj-${'a1B2'.repeat(12)}`,
            Cookie: 'session=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcDEF123456789',
          };
          const { got, sent } = await send(version, usual);
          assert.equal(got.status, 200);
          for (const [name, value] of Object.entries(usual))
            assert.equal(sent?.headers[name.toLowerCase()], value);
          assert.equal(sent?.body.toString(), BODY);
          assert.ok(
            stand.events.every(({ decision, findings }) => decision === 'allow' && findings.length === 0),
          );
        });

        test('personal data and secrets are masked in place, the body passes as it is', async () => {
          const key = ['AKIA', 'IOSFODNN7', 'QWERTYU'].join('');
          const headers = { 'User-Agent': `a ${SSN} b ${CARD}`, 'OpenAI-Project': key };
          const { got, sent } = await send(version, { ...headers, 'X-Stainless-Lang': SSN, 'X-Own': CARD });
          assert.equal(got.status, 200);
          const seen = sent?.headers ?? {};
          assert.equal(seen['user-agent'], 'a [SSN] b [CREDIT_CARD]');
          assert.equal(seen['openai-project'], '[API_KEY]');
          assert.equal(seen['x-stainless-lang'], '[SSN]');
          assert.equal(seen['x-own'], '[CREDIT_CARD]');
          assert.equal(sent?.body.toString(), BODY);
          if (judge === 'service') return;
          const event = stand.events.find(({ findings }) => findings.length > 0);
          assert.deepEqual([event?.decision, event?.done], ['redact', 'redacted']);
          const paths = new Set(event?.findings.map(({ path }) => path));
          assert.deepEqual([...paths].sort(), [
            'headers/openai-project',
            'headers/user-agent',
            'headers/x-own',
            'headers/x-stainless-lang',
          ]);
          assert.doesNotMatch(JSON.stringify(event), /536-90|4111|AKIA/);
        });

        test('an address in the User-Agent is reported only, also under strict rules', async () => {
          const { ruleset } = testPolicy();
          configure({ ruleset: { ...ruleset, strictness: 'strict' }, masksWorkingData: true });
          const agent = 'crawler/1.0 (+mailto:kim.lee@example.com)';
          const told = await send(version, { 'User-Agent': agent });
          assert.equal(told.sent?.headers['user-agent'], agent);
          const { sent } = await send(version, {
            'User-Agent': agent,
            'OpenAI-Project': 'kim.lee@example.com',
          });
          assert.deepEqual(
            [sent?.headers['user-agent'], sent?.headers['openai-project']],
            [agent, '[EMAIL]'],
          );
        });

        test('one of our own keys is masked wherever it stands', async () => {
          const { plain } = await gateway.addKey();
          for (const name of ['X-Client-Request-Id', 'Anthropic-Version', 'X-Api-Key']) {
            const { sent } = await send(version, { [name]: plain });
            assert.equal(sent?.headers[name.toLowerCase()], '[API_KEY]', name);
          }
        });

        test('a request without a body is read as well, and one whose body is masked too', async () => {
          const listed = await send(version, { 'User-Agent': `curl/8 ${CARD}` }, null);
          assert.equal(listed.sent?.headers['user-agent'], 'curl/8 [CREDIT_CARD]');
          const both = await send(version, { 'OpenAI-Project': SSN }, BODY.replace('France', SSN));
          assert.equal(both.sent?.headers['openai-project'], '[SSN]');
          assert.equal(both.sent?.body.toString(), BODY.replace('France', '[SSN]'));
        });
      });

  test('a body that is not read passes with masked headers', async () => {
    const { sent } = await send('--http1.1', { 'User-Agent': SSN, 'content-type': 'image/png' });
    assert.equal(sent?.headers['user-agent'], '[SSN]');
  });

  test('a policy that blocks refuses the request, and a device in monitor mode changes nothing', async () => {
    const { ruleset } = testPolicy();
    const policies = [{ id: 'p', action: 'block' as const, threatTypes: ['pii_leak' as const] }];
    configure({ ruleset: { ...ruleset, policies } });
    const refused = await send('--http2', { 'User-Agent': SSN });
    assert.deepEqual([refused.got.status, refused.sent], [403, undefined]);
    assert.doesNotMatch(refused.got.stdout, /536-90/);
    configure({ mode: 'monitor' });
    assert.equal((await send('--http2', { 'User-Agent': SSN })).sent?.headers['user-agent'], SSN);
  });

  test('the handshake of a WebSocket is read, and a blocked tool gets none', async () => {
    const open = async () => {
      const { port: proxyPort } = stand.proxy;
      const tls = await openTls({ proxyPort, ca: stand.device.root.pem, host: 'api.openai.com' });
      const headers = { 'User-Agent': `x ${CARD}`, 'OpenAI-Beta': 'realtime=v1' };
      return new WebSocket('wss://api.openai.com/v1/realtime', { headers, createConnection: () => tls });
    };
    const ws = await open();
    await once(ws, 'open');
    const { 'user-agent': agent, 'openai-beta': beta } = upgrades[0] ?? {};
    assert.deepEqual([agent, beta], ['x [CREDIT_CARD]', 'realtime=v1']);
    ws.terminate();
    configure({ blockedTools: ['api.openai.com'] });
    const refused = await open();
    const [, response] = await once(refused, 'unexpected-response');
    assert.equal(response.statusCode, 403);
    assert.equal(upgrades.length, 1);
    refused.on('error', () => {});
    refused.terminate();
  });
});
