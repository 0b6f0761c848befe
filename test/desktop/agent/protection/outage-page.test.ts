import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, test } from 'node:test';
import { createOutagePage } from '../../../../apps/desktop/src/agent/protection/outage-page.ts';
import { createNssStore } from '../../../../apps/desktop/src/trust/nss-store.ts';
import { coverageOf, describeRoot } from '../../../../apps/desktop/src/trust/root-certificate.ts';
import { createRunCommand } from '../../../../apps/desktop/src/trust/run-command.ts';
import { findTool, missingTool } from '../../../../scripts/system-tools.ts';
import { cleanEnvironment, newAuthority } from '../../../support/desktop/certificates.ts';
import { curl, noCurl } from '../../../support/desktop/curl.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const { root, issuer } = await newAuthority(['chatgpt.com']);
const page = createOutagePage(async (host) =>
  coverageOf(root.pem)(host) ? issuer.leafFor(host, Date.now()) : null,
);
after(() => page.close());
const reserved = createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => reserved.once('listening', resolve));
const { port } = reserved.address() as { port: number };
await new Promise((resolve) => reserved.close(resolve));
const REASON = 'Port <b>taken</b> by another program.';

test('programs can read the reason, at AI hosts only; the port is free afterwards', {
  skip: noCurl,
}, async () => {
  await page.prepare()({ port, reason: REASON });
  const answered = await curl(port, root.pem, ['-d', 'a prompt', 'https://chatgpt.com/backend-api']);
  assert.equal(answered.status, 503);
  assert.match(
    answered.stdout,
    /^Your organization allows AI sites only while .*Port <b>taken<\/b> by another/,
  );
  const plain = await curl(port, root.pem, ['-H', 'accept: text/html', 'http://chatgpt.com/']);
  assert.match(plain.stdout, /<code>Port &lt;b&gt;taken&lt;\/b&gt; by another program\.<\/code>/);
  const other = await curl(port, root.pem, ['https://bank.example/']);
  assert.equal(other.status, 0, 'there is no certificate for another host');
  page.close();
  await page.prepare()({ port, reason: 'again' });
  assert.match((await curl(port, root.pem, ['https://chatgpt.com/'])).stdout, /again/);
  const late = page.prepare();
  page.close();
  await late({ port, reason: 'the proxy has come meanwhile' });
  assert.equal((await curl(port, root.pem, ['https://chatgpt.com/'])).status, 0);
  await page.prepare()({ port, reason: 'again' });
  const busy = createOutagePage(async () => null);
  await busy.prepare()({ port, reason: 'a port that is taken is no error' });
  busy.close();
});

test('a browser shows the reason', { skip: missingTool(['browser', 'certutil']) }, async () => {
  await page.prepare()({ port, reason: REASON });
  const home = tempFolder('outage-page');
  const file = path.join(home, 'root.pem');
  writeFileSync(file, root.pem);
  const run = createRunCommand({ ...cleanEnvironment(), HOME: home });
  const installed = await createNssStore(run, home).install({
    ...describeRoot(root.pem),
    pem: root.pem,
    path: file,
  });
  assert.deepEqual(installed, { kind: 'done' });
  const shown = await run(findTool('browser') ?? '', [
    ...['--headless', '--disable-gpu', '--no-sandbox', `--user-data-dir=${path.join(home, 'profile')}`],
    ...[`--proxy-server=127.0.0.1:${port}`, '--dump-dom', 'https://chatgpt.com/'],
  ]);
  assert.match(shown.stdout, /<h1>AI sites are blocked on this computer<\/h1>/);
  assert.match(shown.stdout, /Port &lt;b&gt;taken&lt;\/b&gt; by another program\./);
});
