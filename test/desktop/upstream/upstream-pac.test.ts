import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, test } from 'node:test';
import { createUpstreamPac, parseRoutes } from '../../../apps/desktop/src/upstream/upstream-pac.ts';
import { startCompanyProxy } from '../../support/company-proxy.ts';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import { startTestStack } from '../../support/desktop/test-stack.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const folder = tempFolder('pac');
let files = 0;
function pacFile(body: string): string {
  const file = path.join(folder, `${++files}.pac`);
  writeFileSync(file, `function FindProxyForURL(url, host) { ${body} }`);
  return file;
}
const pacOf = (address: string, now = () => 0) => createUpstreamPac({ address, now, credentials: null });
const shown = (ways: readonly (URL | null)[] | null) => ways?.map((way) => way?.host ?? 'direct') ?? null;

test('evaluates the file by host, with the helpers such files use and without the path', {
  skip: noCurl,
}, async () => {
  const pac = pacOf(
    pacFile(`if (url !== 'https://' + host + '/') return 'PROXY told-too-much:1';
      if (isPlainHostName(host) || dnsDomainIs(host, '.corp.example') || shExpMatch(host, '10.*')) return 'DIRECT';
      return 'PROXY one.example:3128; HTTPS two.example:443; SOCKS5 three.example:1080; DIRECT';`),
  );
  assert.deepEqual(shown(await pac.routesTo('intranet', 443)), ['direct']);
  assert.deepEqual(shown(await pac.routesTo('wiki.corp.example', 443)), ['direct']);
  const ways = await pac.routesTo('api.openai.com', 443);
  assert.deepEqual(shown(ways), ['one.example:3128', 'two.example', 'direct']);
  assert.equal(ways?.[1]?.protocol, 'https:');
});

test('a file that loops, exhausts memory, throws or is invalid gives no route and costs a second at most', {
  skip: noCurl,
}, async () => {
  const cpuMsOf = async (body: string, routes: readonly null[] | null) => {
    const before = process.threadCpuUsage();
    assert.deepEqual(await pacOf(pacFile(body)).routesTo('api.openai.com', 443), routes, body);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  // The file's second, and the time to compile its interpreter, which is more on a slow computer.
  const mostMs = Math.max(3_000, 1_000 + 4 * (await cpuMsOf('return "DIRECT"', [null])));
  for (const body of [
    'for (;;) {}',
    'var text = "x"; for (;;) text += text;',
    'throw new Error("no")',
    'return 5',
    'return "SOCKS5 three.example:1080"',
    'return process.env.HOME',
  ]) {
    const ms = await cpuMsOf(body, null);
    assert.ok(ms < mostMs, `${body}: ${ms} of ${mostMs} ms of CPU time`);
  }
  assert.equal(await pacOf(path.join(folder, 'none.pac')).routesTo('a.example', 443), null);
  assert.equal(await pacOf('http://127.0.0.1:9/x.pac').routesTo('a.example', 443), null);
});

test('the second is one of processor time: waiting for a processor does not count', {
  skip: noCurl,
}, async (t) => {
  let atMs = 0;
  t.mock.method(performance, 'now', () => (atMs += 10_000));
  const pac = pacOf(pacFile('for (var n = 0; n < 200000; n++); return "PROXY one.example:3128";'));
  assert.deepEqual(shown(await pac.routesTo('a.example', 443)), ['one.example:3128']);
});

test('changes apply, and a deleted file stays in effect', {
  skip: noCurl,
}, async () => {
  let nowMs = 0;
  const file = pacFile('return "PROXY one.example:1"');
  const pac = pacOf(file, () => nowMs);
  assert.deepEqual(shown(await pac.routesTo('a.example', 443)), ['one.example:1']);
  const changeTo = async (text: string, host: string) => {
    writeFileSync(file, text);
    nowMs += 11 * 60_000;
    // The reload runs in parallel with the queries.
    return await until(
      async () => shown(await pac.routesTo('a.example', 443)),
      (ways) => ways?.[0] === host,
    );
  };
  const two = 'function FindProxyForURL() { return "PROXY two.example:2"; }';
  assert.deepEqual(await changeTo(two, 'two.example:2'), ['two.example:2']);
  assert.deepEqual(await changeTo('not a program', 'two.example:2'), ['two.example:2']);
});

test('user and password go to their own proxy only', { skip: noCurl }, () => {
  const credentials = new URL('http://kim:secret@one.example:3128');
  const ways = parseRoutes('PROXY one.example:3128; PROXY two.example:3128', credentials);
  assert.deepEqual(
    ways?.map((way) => way?.password),
    ['secret', ''],
  );
});

test('the agent uses the company’s proxy with its password, the next one if the first is dead, or a direct route', {
  skip: noCurl,
}, async () => {
  let providerPort = 0;
  const company = await startCompanyProxy({ leadTo: () => providerPort, credentials: 'kim:secret' });
  const pac = createServer((_request, response) => {
    response.end(`function FindProxyForURL(url, host) {
      return host === 'localhost' ? 'DIRECT' : 'PROXY 127.0.0.1:9; PROXY 127.0.0.1:${company.port}';
    }`);
  }).listen(0, '127.0.0.1');
  after(() => pac.close());
  await new Promise((resolve) => pac.once('listening', resolve));
  const { port } = pac.address() as { port: number };
  const stand = await startTestStack({
    config: {
      upstreamPac: `http://127.0.0.1:${port}/company.pac`,
      upstreamProxy: company.url,
      upstreamProxyBypass: [],
    },
  });
  providerPort = stand.testProvider.port;
  const ca = stand.device.root.pem;
  for (const version of ['--http1.1', '--http2']) {
    const opened = await curl(stand.proxy.port, ca, [version, 'https://api.openai.com/opened']);
    assert.deepEqual([opened.status, opened.stdout], [200, '{"hello":"/opened"}'], opened.stderr);
    const blind = await curl(stand.proxy.port, ca, [version, '-k', 'https://bank.example/blind']);
    assert.equal(blind.status, 200, blind.stderr);
  }
  const asked = company.asked.length;
  assert.ok(asked >= 3, 'the company’s proxy received it');
  const straight = await curl(stand.proxy.port, ca, [
    `https://localhost:${stand.testProvider.port}/straight`,
  ]);
  assert.equal(straight.status, 200, straight.stderr);
  assert.equal(company.asked.length, asked, 'not for direct routes of the file');
  await stand.close();
  await company.close();
});
