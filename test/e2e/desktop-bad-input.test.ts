/** Each wrong input is reported in one clear sentence, and the network keeps working. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Json } from '../support/answers.ts';
import { agentCommands } from '../support/desktop/agent-process.ts';
import { type AgentTestEnv, ATTACK, HARMLESS, openAgentTestEnv } from '../support/desktop/agent-test-env.ts';
import { newAuthority } from '../support/desktop/certificates.ts';
import { curl, noCurl } from '../support/desktop/curl.ts';
import { fakeGsettings } from '../support/desktop/fake-gsettings.ts';
import { type LossyProxy, startLossyProxy } from '../support/desktop/lossy-proxy.ts';
import { childOf } from '../support/desktop/processes.ts';
import { startTlsProvider } from '../support/desktop/tls-provider.ts';
import { isInPart, partOf } from '../support/part.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { untilTrue } from '../support/until.ts';

let testEnv: AgentTestEnv;
let front: LossyProxy;

before(async () => {
  testEnv = await openAgentTestEnv({
    async frontOf(address) {
      front = await startLossyProxy(address);
      return front.url;
    },
  });
});
after(async () => {
  await testEnv.close();
  await front.close();
});

const newcomer = (name: string) => agentCommands(path.join(testEnv.folder, name));
const newToken = async () => String((await testEnv.operator.json(['enrollments', 'create']))['token']);

test('a service with an untrusted certificate is sent nothing, and the token stays valid', {
  skip: noCurl,
}, async () => {
  const otherServer = await startTlsProvider(await newAuthority(['localhost']));
  const token = await newToken();
  const agent = newcomer('wrong-certificate');
  const address = `https://localhost:${otherServer.port}`;
  const { code, stderr } = await agent.run('enroll', '--server', address, '--token', token);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^The certificate of localhost:\d+ is not trusted \(\w+\)\. The connection may be intercepted, so nothing was sent\.\n$/,
  );
  assert.equal(otherServer.requests.length, 0);
  await otherServer.close();
  const spent = await agent.run('enroll', '--server', testEnv.gateway.address, '--token', token);
  assert.equal(spent.code, 0, spent.stderr);
  const again = await newcomer('spent').run('enroll', '--server', testEnv.gateway.address, '--token', token);
  assert.match(again.stderr, /^[^\n]*token[^\n]*\n$/i);
});

test('a configuration changed in transit is rejected and reported; the previous one stays in effect', {
  skip: noCurl,
}, async () => {
  const agent = await testEnv.start();
  const port = await testEnv.proxyPort();
  front.tamper('"mode":"enforce"', '"mode":"monitor"');
  await testEnv.operator.run(['devices', 'settings', '--extra-hosts', 'one.example']);
  await untilTrue(
    async () => /is not signed by the service/.test((await testEnv.agent.status()).problem ?? ''),
    () => `it was not said:\n${agent.output()}`,
  );
  assert.equal((await testEnv.agent.status()).mode, 'enforce');
  assert.notEqual((await testEnv.ask(ATTACK, port)).status, 200);
  assert.equal((await testEnv.ask(HARMLESS, port)).status, 200);
  assert.match(
    (await testEnv.agent.run('doctor')).stdout,
    /^FAULT {2}service: The configuration is not signed/m,
  );

  const fresh = newcomer('tampered');
  const { code, stderr } = await fresh.run('enroll', '--server', front.url, '--token', await newToken());
  assert.equal(code, 1);
  assert.match(stderr, /^The configuration is not signed by the service .* Request a new one\.\n$/);
  assert.equal(existsSync(fresh.stateDir), false, 'nothing of it is left here');
  const { devices } = (await testEnv.operator.json(['devices', 'list'])) as { devices: Json[] };
  assert.equal(devices[0]?.['state'], 'revoked', 'and nothing at the service');
  front.tamper('x', 'x');
  await testEnv.operator.run(['devices', 'settings', '--extra-hosts', '']);
  await untilTrue(
    async () => (await testEnv.agent.status()).problem === null,
    () => 'it is said still',
  );
  await agent.end('SIGTERM');
});

test('a damaged journal is set aside, and the agent works', { skip: noCurl }, async () => {
  writeFileSync(
    path.join(testEnv.agent.stateDir, 'journal.sqlite'),
    'half of a page of something else'.repeat(99),
  );
  for (const name of ['journal.sqlite-wal', 'journal.sqlite-shm']) {
    writeFileSync(path.join(testEnv.agent.stateDir, name), 'and half of a log');
  }
  const agent = await testEnv.start();
  assert.match(agent.output(), /^The journal was damaged and has been moved to /m);
  assert.ok(readdirSync(testEnv.agent.stateDir).some((name) => name.includes('.damaged-')));
  assert.notEqual((await testEnv.ask(ATTACK)).status, 200);
  await agent.end('SIGTERM');
});

for (const [what, script, sentence] of partOf(
  'system settings that fail',
  [
    ['may not be changed', 'echo "Permission denied" >&2; exit 1', /cannot be changed: Permission denied/],
    ['is not kept', 'exit 0', /did not save the proxy setting \(autoconfig-url, mode\)/],
  ] as const,
  1,
)) {
  test(`a setting that ${what} is reported, stays as it was, and configured programs stay protected`, {
    skip: process.platform === 'linux' ? noCurl : 'the stand-in for the system setting is one for Linux',
  }, async () => {
    const gsettings = fakeGsettings();
    const get = `if [ "$1" = get ]; then cat "${gsettings.folder}/$3"; exit 0; fi`;
    writeFileSync(path.join(gsettings.folder, 'gsettings'), `#!/bin/sh\n${get}\n${script}\n`);
    chmodSync(path.join(gsettings.folder, 'gsettings'), 0o755);
    const agent = testEnv.agent.with({
      PATH: `${gsettings.folder}:${process.env['PATH']}`,
      AGENT_SYSTEM_PROXY: 'on',
      SSL_CERT_FILE: path.join(testEnv.agent.stateDir, 'root.pem'),
    });
    const begun = agent.start().catch((error: Error) => error);
    await untilTrue(
      async () => sentence.test((await agent.status()).problem ?? ''),
      () => 'it was not said',
    );
    assert.equal(gsettings.read('mode'), 'none');
    assert.equal((await agent.status()).system_proxy, 'not_set');
    assert.notEqual((await testEnv.ask(ATTACK)).status, 200);
    process.kill((await agent.status()).pid ?? 0, 'SIGTERM');
    await begun;
  });
}

test('a folder without write permission is reported in one sentence', {
  skip: process.getuid?.() === 0 ? 'root may write everywhere' : noCurl,
}, async () => {
  const place = tempFolder('closed');
  chmodSync(place, 0o500);
  const { code, stderr } = await agentCommands(place).run(
    ...['enroll', '--server', testEnv.gateway.address, '--token', await newToken()],
  );
  assert.equal(code, 1);
  assert.match(stderr, /cannot be (?:written|used) \(EACCES\)/);
});

const YEARS_MS = 10 * 365 * 24 * 60 * 60 * 1000;

/** For Node: shifts every `Date` of the process, as on a computer whose clock was never set. */
const clockOffBy = (ms: number): string => {
  const shift = `const Own = Date; globalThis.Date = class extends Own { constructor(...a) { a.length ? super(...a) : super(Own.now() + ${ms}); } static now() { return Own.now() + ${ms}; } };`;
  return `--import=data:text/javascript,${encodeURIComponent(shift)}`;
};

for (const [what, ms] of partOf(
  'clocks',
  [
    ['ahead', YEARS_MS],
    ['behind', -YEARS_MS],
  ] as const,
  1,
)) {
  test(`with a clock ten years ${what} the device enrolls and is protected, and doctor reports the clock`, {
    skip: noCurl,
  }, async () => {
    const agent = newcomer(`clock-${what}`).with({
      NODE_OPTIONS: clockOffBy(ms),
      AGENT_EXTRA_HOSTS: 'localhost',
      AGENT_UPSTREAM_CA: path.join(testEnv.folder, 'provider-ca.pem'),
    });
    const enrolled = await agent.run(
      'enroll',
      '--server',
      testEnv.gateway.address,
      '--token',
      await newToken(),
    );
    assert.equal(enrolled.code, 0, enrolled.stderr);
    const running = await agent.start();
    try {
      const seen = () => agent.status();
      await untilTrue(
        async () => (await seen()).channel_open && (await seen()).proxy_port !== null,
        running.output,
      );
      assert.match(
        (await agent.run('doctor')).stdout,
        /^FAULT {2}clock: The clock of this computer differs from that of the service by \d+ minutes\. Correct it/m,
      );
    } finally {
      await running.end('SIGTERM');
    }
  });
}

/** More than the memory limit of the proxy. */
const ENDLESS_BYTES = 512 * 1024 * 1024;

for (const version of partOf('endless responses', ['--http1.1', '--http2'], 1)) {
  if (!isInPart('an endless response', 3)) continue;
  test(`an endless response uses bounded memory, delays no other client, and ends with its own client (${version})`, {
    skip: noCurl,
  }, async () => {
    const running = await testEnv.start();
    try {
      const port = await testEnv.proxyPort();
      const proxy = childOf(running.child.pid ?? 0, 'proxy-process') ?? 0;
      const chunk = `"${'a'.repeat(64 * 1024)}",`;
      const ended = Promise.withResolvers<void>();
      // The client leaves after a number of bytes, not after a time: a busy computer may not have sent the request by
      // then.
      const leave = new AbortController();
      let sent = 0;
      testEnv.testProvider.answer((response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.once('close', () => {
          if (leave.signal.aborted) ended.resolve();
          else ended.reject(new Error(`The proxy ended it after ${sent} bytes.`));
        });
        response.write('[');
        const more = (): void => {
          do {
            sent += chunk.length;
            if (sent > ENDLESS_BYTES) leave.abort();
          } while (!leave.signal.aborted && response.write(chunk));
        };
        response.on('drain', more);
        more();
      });
      const root = readFileSync(path.join(testEnv.agent.stateDir, 'root.pem'), 'utf8');
      const url = `https://localhost:${testEnv.testProvider.port}/v1/chat/completions`;
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: HARMLESS }] });
      const post = [version, '-H', 'content-type: application/json', '-d', body, '-o', '/dev/null'];
      await curl(port, root, [...post, '--max-time', '0', url], '', leave.signal);
      // Never, if the request to the provider stays open. The end of one HTTP/2 client in four is noticed by a timeout.
      await ended.promise;
      const status = readFileSync(`/proc/${proxy}/status`, 'utf8');
      const peakMb = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
      assert.ok(peakMb < 400, `${peakMb} MB`);
      testEnv.testProvider.answer((response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}');
      });
      assert.equal((await testEnv.ask(HARMLESS, port)).status, 200);
      assert.equal((await testEnv.agent.status()).proxy_restarts, 0);
    } finally {
      await running.end('SIGTERM');
    }
  });
}

test('a device that was revoked while off learns so at its next start, and stays revoked', {
  skip: noCurl,
}, async () => {
  const { device_id } = await testEnv.agent.status();
  await testEnv.operator.run(['devices', 'revoke', device_id ?? '']);
  for (const start of ['first', 'second']) {
    const begun = testEnv.agent.start().catch((error: Error) => error);
    const seen = () => testEnv.agent.status();
    await untilTrue(
      async () => (await seen()).revoked,
      () => `${start}: it was not said`,
    );
    const status = await seen();
    assert.match(status.problem ?? '', /^The service has revoked this device\. It is not protected until/);
    assert.equal(status.proxy_port, null, start);
    const words = await testEnv.agent.run('status');
    assert.equal(words.code, 1);
    process.kill(status.pid ?? 0, 'SIGTERM');
    await begun;
  }
});
