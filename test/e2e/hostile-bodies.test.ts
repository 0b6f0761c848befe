import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { isCounted } from '../support/cpu-time.ts';
import { HANG_LIMIT_MS } from '../support/until.ts';
import {
  ATTACK,
  assertDocumentedRejection,
  BODY_LIMIT,
  chat,
  HARMLESS,
  type HostileTarget,
  JSON_TYPE,
  MAX_TURN_MS,
  MIB,
  PACKERS,
  startHostileTarget,
} from './hostile-target.ts';
import { exchange } from './raw-http.ts';

describe('hostile bodies', () => {
  let target: HostileTarget;
  before(async () => {
    target = await startHostileTarget();
  });
  after(() => target.close());
  beforeEach(() => target.testProvider.reset());

  test('unsupported content types and encodings are rejected', async () => {
    const typed = (status: number, code: string, headers: string[], body: string | Buffer = HARMLESS) =>
      [status, code, target.requestOf(headers, body)] as const;
    const unsupported = (type: string) => typed(415, 'unsupported_media_type', [`Content-Type: ${type}`]);
    const encoded = (name: string, body: string | Buffer = HARMLESS) =>
      typed(415, 'unsupported_media_type', [JSON_TYPE, `Content-Encoding: ${name}`], body);
    await target.holdAll({
      'no type': typed(415, 'unsupported_media_type', []),
      'an empty type': unsupported(''),
      text: unsupported('text/plain'),
      'a form': unsupported('application/x-www-form-urlencoded'),
      'a form of parts': unsupported('multipart/form-data; boundary=x'),
      'two types in one': unsupported('application/json, text/plain'),
      'a type that starts alike': unsupported('application/jsonx'),
      'a type that ends alike': unsupported('application/ld+json'),
      ...Object.fromEntries(
        [
          ...['utf-7', 'utf-16', 'utf-16le', 'utf-32', 'iso-8859-1', 'windows-1252', 'us-ascii', ''],
          ...['"utf-16"', "'utf-8'", ' utf-7', 'utf-8, utf-16', 'utf-8 utf-7', '"utf-8'],
        ].map((charset) => [`charset=${charset}`, unsupported(`application/json; charset=${charset}`)]),
      ),
      'two charsets': unsupported('application/json; charset=utf-8; charset=utf-7'),
      'a charset in upper case': unsupported('application/json; CHARSET=UTF-7'),
      'a charset with blanks': unsupported('application/json; charset = utf-7'),
      'a charset in RFC 8187': unsupported("application/json; charset*=utf-8''utf-7"),
      'an unknown encoding': encoded('rot13'),
      'an encoding named like a member': encoded('__proto__'),
      'two encodings': encoded('gzip, gzip', gzipSync(gzipSync(HARMLESS))),
      'an encoding and none': encoded('gzip, identity', gzipSync(HARMLESS)),
      'a chunked encoding': encoded('chunked'),
      'not gzip': typed(400, 'invalid_request', [JSON_TYPE, 'Content-Encoding: gzip']),
      'half of gzip': typed(
        400,
        'invalid_request',
        [JSON_TYPE, 'Content-Encoding: gzip'],
        gzipSync(HARMLESS).subarray(0, 30),
      ),
      'gzip under another name': typed(
        400,
        'invalid_request',
        [JSON_TYPE, 'Content-Encoding: br'],
        gzipSync(HARMLESS),
      ),
      'gzip without its name': typed(400, 'invalid_request', [JSON_TYPE], gzipSync(HARMLESS)),
    });
  });

  test('compressed bodies are evaluated like any other, and the provider receives the decompressed body', async () => {
    for (const [name, pack] of Object.entries(PACKERS)) {
      const headers = [JSON_TYPE, `Content-Encoding: ${name}`];
      const passed = await target.send(headers, pack(Buffer.from(HARMLESS)));
      assert.equal(passed.answers[0]?.status, 200, name);
      assert.equal(target.testProvider.lastRequest().body.toString(), HARMLESS);
      assert.equal(target.testProvider.lastRequest().headers['content-encoding'], undefined);
      const requestCount = target.testProvider.requests.length;
      const refused = await target.send(headers, pack(Buffer.from(chat(ATTACK))));
      assertDocumentedRejection(refused.answers[0], 403, 'request_blocked', name);
      assert.equal(target.testProvider.requests.length, requestCount);
    }
    // A second member of a gzip file is as much a part of it as the first.
    const two = Buffer.concat([gzipSync(HARMLESS), gzipSync(chat(ATTACK))]);
    assertDocumentedRejection(
      (await target.send([JSON_TYPE, 'Content-Encoding: gzip'], two)).answers[0],
      400,
      'invalid_request',
      '',
    );
  });

  test('JSON that two parsers could read differently is rejected', async () => {
    const bad = (body: string | Buffer) =>
      [400, 'invalid_request', target.requestOf([JSON_TYPE], body)] as const;
    const harmless = '"model":"gpt-test","messages":[{"role":"user","content":"hello"}]';
    const attack = `"messages":[{"role":"user","content":"${ATTACK}"}]`;
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    const nested = (depth: number) => `{${harmless},"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    await target.holdAll({
      'a name twice': bad(`{${harmless},${attack}}`),
      'a name twice, the other way round': bad(`{${attack},${harmless}}`),
      'a name twice, once with an escape': bad(`{${harmless},${attack.replace('m', '\\u006d')}}`),
      'a name twice, once with a long escape': bad(`{${harmless},${attack.replace('s"', '\\u0073"')}}`),
      'a name twice, deep down': bad(`{${harmless},"x":[{"a":[{"b":1,"\\u0062":2}]}]}`),
      '__proto__ twice': bad(`{${harmless},"__proto__":{},"__proto__":{}}`),
      'an empty name twice': bad(`{${harmless},"":1,"":2}`),
      '101 levels': bad(nested(100)),
      '100,000 levels': bad(nested(100_000)),
      'levels without end': bad('['.repeat(MIB)),
      'invalid UTF-8': bad(bytes(`{${harmless},"x":"\xff"}`)),
      'an overlong slash': bad(bytes(`{${harmless},"x":"\xc0\xaf"}`)),
      'half a letter': bad(bytes(`{${harmless},"x":"\xe2\x82"}`)),
      'a surrogate in UTF-8': bad(bytes(`{${harmless},"x":"\xed\xa0\x80"}`)),
      'UTF-16': bad(Buffer.from(`{${harmless}}`, 'utf16le')),
      'UTF-16 with its mark': bad(Buffer.from(`\ufeff{${harmless}}`, 'utf16le')),
      'a byte order mark': bad(`\ufeff{${harmless}}`),
      'half a pair': bad(`{${harmless},"x":"\\ud800"}`),
      'half a pair in a name': bad(`{${harmless},"\\udc00":1}`),
      'NUL in a string': bad(`{${harmless},"x":"a\0b"}`),
      'NUL after the end': bad(`{${harmless}}\0`),
      'a tab in a string': bad(`{${harmless},"x":"a\tb"}`),
      'two documents': bad(`{${harmless}}{${attack}}`),
      'two lines': bad(`{${harmless}}\n{${attack}}`),
      'a comma too many': bad(`{${harmless},}`),
      'a comment': bad(`{${harmless}/*,${attack}*/}`),
      'single quotes': bad(`{${harmless},'x':1}`),
      'a name without quotes': bad(`{${harmless},x:1}`),
      NaN: bad(`{${harmless},"x":NaN}`),
      'a leading nought': bad(`{${harmless},"x":01}`),
      'a number in hex': bad(`{${harmless},"x":0x1}`),
      nothing: bad(''),
      blanks: bad('   '),
      'a list': bad('[]'),
      'a text': bad('"hello"'),
      null: bad('null'),
      'no messages': bad('{}'),
      'messages that are none': bad('{"messages":{"0":{"role":"user","content":"hello"}}}'),
      'a message that is none': bad('{"messages":["hello"]}'),
    });
  });

  test('unusual JSON with only one reading is forwarded unchanged', async () => {
    const harmless = '"messages":[{"role":"user","content":"hello"}]';
    for (const odd of [
      `{${harmless},"x":1e400}`,
      `{${harmless},"x":-0.0E-9999}`,
      `{${harmless},"x":${'9'.repeat(100_000)}}`,
      `{${harmless},"x":${'['.repeat(98)}${']'.repeat(98)}}`,
      `{${harmless},"x":"\\u0000\\ud83d\\ude00\\/"}`,
      `{${harmless},"__proto__":{"isAdmin":true},"constructor":{"prototype":1},"":0}`,
      `\r\n\t {${harmless}}\r\n`,
    ]) {
      const { answers } = await target.send([JSON_TYPE], odd);
      assert.equal(answers[0]?.status, 200, odd.slice(0, 80) + answers[0]?.body);
      assert.equal(target.testProvider.lastRequest().body.toString(), odd);
    }
    for (const hidden of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
      const body = `{${harmless},${JSON.stringify(hidden)}:{"x":["${ATTACK}"]}}`;
      assertDocumentedRejection(
        (await target.send([JSON_TYPE], body)).answers[0],
        403,
        'request_blocked',
        body,
      );
    }
  });

  test('no body blocks the event loop for others', async () => {
    const message = (content: string) => `{"messages":[{"role":"user","content":${content}}]}`;
    const fill = (item: string) => item.repeat(Math.floor((2 * MIB) / item.length));
    const many = (count: number, item: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => item(i)).join(',');
    const packed = (name: keyof typeof PACKERS, size: number) =>
      [JSON_TYPE, `Content-Encoding: ${name}`, PACKERS[name](Buffer.alloc(size, 32))] as const;
    const bodies: Readonly<Record<string, string | readonly [string, string, Buffer]>> = {
      'one long text': message(`"${fill('a')}"`),
      prose: message(`"${fill('The museum opens at nine in the morning. ')}"`),
      escapes: message(`"${fill('\\u0041')}"`),
      'JSON in a text': message(JSON.stringify(`[${fill('"a\\n",')}1]`)),
      'digits of cards': message(`"${fill('4111 1111 ')}"`),
      objects: `{"messages":[${fill('{},')}{}]}`,
      lists: `{"messages":[],"x":[${fill('[],')}[]]}`,
      numbers: `{"messages":[],"x":[${fill('0,')}0]}`,
      'empty texts': `{"messages":[],"x":[${fill('"",')}""]}`,
      'as many texts as may be': `{"messages":[],"x":[${many(58_000, (i) => `"text ${i}"`)}]}`,
      'as many members as may be': `{"messages":[],"x":{${many(39_000, (i) => `"key ${i}":"v"`)}}}`,
      'as many messages as may be': `{"messages":[${many(19_000, (i) => `{"role":"user","content":"hello ${i}"}`)}]}`,
      'more members': `{"messages":[],"x":{${many(300_000, (i) => `"${i}":0`)}}}`,
      'one long name': `{"messages":[],"${fill('a')}":1}`,
      blanks: fill(' ') + message('"a"'),
      colons: fill(':'),
      quotes: fill('"'),
      backslashes: `"${fill('\\')}`,
      brackets: fill('['),
      'a number': `{"messages":[],"x":${fill('9')}}`,
      base64: message(`[{"type":"file","file":{"file_data":"data:text/plain;base64,${fill('YWJj')}"}}]`),
      'a gzip bomb': packed('gzip', 32 * MIB),
      'a deflate bomb': packed('deflate', 32 * MIB),
      'a brotli bomb': packed('br', 32 * MIB),
      'a zstd bomb': packed('zstd', 32 * MIB),
    };
    const slow: string[] = [];
    for (const [name, body] of Object.entries(bodies)) {
      const headers = typeof body === 'string' ? [JSON_TYPE] : body.slice(0, 2).map(String);
      const bytes = target.requestOf(headers, typeof body === 'string' ? body : body[2]);
      // Best of twelve: garbage of the previous body or another process may interfere.
      let best = { turnMs: Number.POSITIVE_INFINITY, boundMs: MAX_TURN_MS };
      for (let run = 0; run < (isCounted ? 1 : 12) && best.turnMs > best.boundMs; run++) {
        // The speed of this computer before and after: other work may begin or end in between.
        const beforeMs = run === 0 ? 0 : await target.gateway.referenceMs();
        await target.gateway.longestTurnMs();
        const { answers } = await exchange(target.gateway.address, bytes, { waitMs: HANG_LIMIT_MS });
        const status = answers[0]?.status ?? 0;
        assert.ok(
          [200, 400, 403, 413].includes(status),
          `${name} → ${status} ${answers[0]?.body.slice(0, 200)}`,
        );
        if (name.includes('bomb')) assertDocumentedRejection(answers[0], 413, 'payload_too_large', name);
        const turnMs = await target.gateway.longestTurnMs();
        const boundMs =
          turnMs < MAX_TURN_MS
            ? MAX_TURN_MS
            : Math.max(MAX_TURN_MS, 2 * beforeMs, 2 * (await target.gateway.referenceMs()));
        if (turnMs / boundMs < best.turnMs / best.boundMs) best = { turnMs, boundMs };
      }
      if (!isCounted && best.turnMs > best.boundMs)
        slow.push(`${name}: ${best.turnMs} ms, the bound ${best.boundMs} ms`);
    }
    assert.deepEqual(slow, [], 'the loop was blocked');
  });

  test('a body over the limit is rejected by its declared length before it is sent, or while it arrives', async () => {
    const response = await target.send([JSON_TYPE, `Content-Length: ${BODY_LIMIT + 1}`], '');
    assertDocumentedRejection(response.answers[0], 413, 'payload_too_large', 'told');
    const chunk = `${MIB.toString(16)}\r\n${' '.repeat(MIB)}\r\n`;
    const untold = await exchange(target.gateway.address, [
      target.requestOf([JSON_TYPE, 'Transfer-Encoding: chunked'], ''),
      ...Array.from({ length: 9 }, () => chunk),
    ]);
    assertDocumentedRejection(untold.answers[0], 413, 'payload_too_large', 'chunked');
    assert.equal(target.testProvider.requests.length, 0);
  });
});
