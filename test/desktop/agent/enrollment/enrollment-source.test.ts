import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import {
  readEnrollmentSource,
  withTokenFrom,
} from '../../../../apps/desktop/src/agent/enrollment/enrollment-source.ts';
import { AgentError } from '../../../../apps/desktop/src/agent/settings/read-settings.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const file = (text: string): string => {
  const place = path.join(tempFolder('managed'), 'enroll.json');
  writeFileSync(place, text);
  return place;
};

test('reads the command line, a link and a managed file', () => {
  const wanted = { server: 'https://g.example', token: 't' };
  assert.deepEqual(readEnrollmentSource(wanted), wanted);
  const link = 'csg://enroll?server=https%3A%2F%2Fg.example&token=t';
  assert.deepEqual(readEnrollmentSource({ link }), wanted);
  assert.deepEqual(readEnrollmentSource({ link: link.replace('enroll?', 'enroll/?'), name: 'n' }), {
    ...wanted,
    name: 'n',
  });
  assert.deepEqual(readEnrollmentSource({ managed: file(JSON.stringify({ ...wanted, other: 1 })) }), wanted);
});

test("a managed file can name the company's proxy, without a password; a link cannot", () => {
  const wanted = { server: 'https://g.example', token: 't' };
  const managed = (more: object) => ({ managed: file(JSON.stringify({ ...wanted, ...more })) });
  const proxy = 'http://proxy.example:3128';
  assert.deepEqual(readEnrollmentSource(managed({ upstream_proxy: proxy })), {
    ...wanted,
    upstreamProxy: proxy,
  });
  const pac = 'http://wpad.example/proxy.pac';
  assert.deepEqual(readEnrollmentSource(managed({ upstream_pac: pac })), { ...wanted, upstreamPac: pac });
  for (const [more, sentence] of [
    [{ upstream_proxy: 'proxy.example' }, /^Error: upstream_proxy must be a URL/],
    [{ upstream_proxy: 'http://kim:secret@proxy.example:3128' }, /must not contain a password/],
    [{ upstream_pac: '/no/such/file.pac' }, /^Error: upstream_pac must be/],
  ] as const)
    assert.throws(() => readEnrollmentSource(managed(more)), sentence);
  const link = `csg://enroll?server=https%3A%2F%2Fg.example&token=t&upstream_proxy=${encodeURIComponent(proxy)}`;
  assert.deepEqual(readEnrollmentSource({ link }), wanted);
});

test('reads a token or a link from standard input, however it is split', async () => {
  const server = 'https://g.example';
  const read = async (...pieces: (string | Uint8Array)[]) =>
    readEnrollmentSource(await withTokenFrom(Readable.from(pieces), { server }));
  assert.deepEqual(await read('svc_enroll_', 'abc\n'), { server, token: 'svc_enroll_abc' });
  assert.deepEqual(await read(Buffer.from('svc_enroll_abc\r\nmore')), { server, token: 'svc_enroll_abc' });
  assert.deepEqual(await read('svc_enroll_abc'), { server, token: 'svc_enroll_abc' });
  const link = 'csg://enroll?server=https%3A%2F%2Fother.example&token=t\n';
  assert.deepEqual(await read(link), { server, token: 't' }, 'the command line takes precedence');
  for (const nothing of [[], [''], ['\n'], [' \n token']]) {
    await assert.rejects(read(...nothing), /^Error: Standard input is empty/);
  }
  await assert.rejects(
    withTokenFrom(endless(), {}).then(readEnrollmentSource),
    AgentError,
    'it reads only the first line',
  );
});

async function* endless(): AsyncGenerator<string> {
  for (;;) yield 'x'.repeat(1_000);
}

test('rejects an incomplete enrollment in one sentence', () => {
  for (const source of [
    {},
    { server: 'https://g.example' },
    { link: 'https://enroll?server=x&token=t' },
    { link: 'csg://request?server=x&token=t' },
    { link: 'csg://enroll?server=x' },
    { managed: '/nonexistent/enroll.json' },
    { managed: file('{') },
    { managed: file('null') },
    { managed: file('{"server":"x"}') },
  ]) {
    assert.throws(() => readEnrollmentSource(source), AgentError, JSON.stringify(source));
  }
});

test('names a managed file that was cut off at any position', () => {
  const whole = JSON.stringify({ server: 'https://g.example', token: 'svc_enroll_abc' });
  for (let end = 0; end < whole.length; end++) {
    const place = file(whole.slice(0, end));
    assert.throws(
      () => readEnrollmentSource({ managed: place }),
      (error: Error) => error.message.includes(place) && !error.message.includes('svc_enroll'),
      `ends after ${end} characters`,
    );
  }
});
