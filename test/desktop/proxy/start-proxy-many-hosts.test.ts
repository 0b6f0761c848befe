import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTls, openTunnel } from '../../support/desktop/clients.ts';
import { AI_HOSTS, startTestStack, testPolicy } from '../../support/desktop/test-stack.ts';

const HOSTS = 1_000;

const stand = await startTestStack({
  // There is no provider: its handshakes are not tested here.
  config: {
    policy: testPolicy({ hosts: [...AI_HOSTS, '*.openai.com'] }),
    upstreamProxy: 'http://127.0.0.1:9',
  },
});
after(() => stand.close());

test('of 1,000 concurrent certificate requests each connection gets a response, and the next host is not delayed', async () => {
  const statuses = Array.from({ length: HOSTS }, (_, i) =>
    openTunnel(stand.proxy.port, `h${i}.openai.com:443`).then(
      (socket) => {
        socket.destroy();
        return 200;
      },
      (error: Error) => Number(/CONNECT (\d+)/.exec(error.message)?.[1]),
    ),
  );
  // The first has its certificate, the others wait for theirs.
  await Promise.race(statuses);
  const target = { proxyPort: stand.proxy.port, ca: stand.device.root.pem, host: 'chatgpt.com' };
  const tls = await openTls(target);
  tls.destroy();
  const ended = await Promise.all(statuses);
  const opened = ended.filter((status) => status === 200).length;
  const late = ended.filter((status) => status === 503).length;
  assert.equal(opened + late, HOSTS, 'no connection is cut or hangs');
  assert.ok(opened > 0);
});
