import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Dispatcher } from 'undici';
import { hiddenParts, readExcerpt } from '../../../../apps/cloud/src/webhooks/outbound/response-excerpt.ts';

const responseOf = (body: Readable, headers: Record<string, string> = {}) =>
  ({ body, headers }) as unknown as Pick<Dispatcher.ResponseData, 'body' | 'headers'>;

test('secrets and the longer parts of the URL are hidden, however they are spelled', () => {
  const url = new URL('https://hooks.example/in/T0A1B2C3?key=caf%C3%A9-caf%C3%A9&v=2');
  assert.deepEqual(
    new Set(hiddenParts(url, ['whsec_1'])),
    new Set(['whsec_1', 'T0A1B2C3', 'café-café', 'caf%C3%A9-caf%C3%A9']),
  );
});

test('a response that never ends or breaks off gives what has arrived of it', async () => {
  const endless = new Readable({ read() {} });
  endless.push('starting');
  assert.equal(await readExcerpt(responseOf(endless), []), 'starting');
  assert.ok(endless.destroyed);
  const broken = Readable.from(
    (function* () {
      yield Buffer.from('half');
      throw new Error('reset');
    })(),
  );
  assert.equal(await readExcerpt(responseOf(broken), []), 'half');
});

test('compressed bytes and files are not read', async () => {
  const compressed = Readable.from([Buffer.from('x')]);
  assert.equal(await readExcerpt(responseOf(compressed, { 'content-encoding': 'gzip' }), []), null);
  const image = Readable.from([Buffer.from('x')]);
  assert.equal(await readExcerpt(responseOf(image, { 'content-type': 'image/png' }), []), null);
});
