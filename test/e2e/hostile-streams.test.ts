/**
 * A secret that a stream delivers in pieces: split within escapes, within characters and within the JSON of a tool's
 * arguments, at every point. No byte of it is sent. canary-matrix.test.ts splits it in plain form in every text.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { endpointByName } from '@csg/shared/providers';
import { plain } from '../support/canary-template.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { isInPart } from '../support/part.ts';
import { type Frame, samplesOf, spellFrames } from '../support/provider-samples.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';

/** Assembled here so that the repository contains no key-like text. */
const SECRET = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const BLOCKED =
  /^(?:(?:event: [\w.]+\n)?data: \{[^\n]*\}\n\n){1,2}event: error\ndata: \{[^\n]*"code":"content_blocked"[^\n]*\}\n\n$/;
/** `npm test` splits at one in so many places. */
const SHARE = 3;
const DONE = 'data: [DONE]\n\n';

const escaped = (text: string): string =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const wide = (text: string): string =>
  [...text].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join('');
const spell = (frame: Frame): string => spellFrames(endpointByName('openai-chat'), [frame]);

/** Accumulators of JSON: the arguments of a tool. */
const ARGUMENTS = /arguments|partial_json/;

describe('a secret in pieces of a stream is blocked', () => {
  let testProvider: TestProvider;
  let gateway: TestGateway;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    await gateway.storage.subscriptions.set(gateway.account.accountId, { perMinute: 1_000_000 });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });

  for (const name of ['openai-chat', 'anthropic-messages', 'openai-responses']) {
    const { endpoint, pieces, requests } = samplesOf(name);
    const route = endpoint.path.slice('/v1'.length);
    const strands = [...pieces].map(([text, { frame }]) => [text, frame] as const);
    const holdBlocked = async (sent: readonly (string | Buffer)[], shown: string): Promise<void> => {
      testProvider.answer({ headers: { 'content-type': 'text/event-stream' }, body: sent });
      const answer = await gateway.call('POST', `/api/v1${route}`, {
        body: { ...(plain(requests.at(-1)!) as object), stream: true },
        bearer: PROVIDER_KEY,
      });
      const text = await answer.text();
      assert.match(text, BLOCKED, `${shown}: ${answer.status} ${text.slice(0, 300)}`);
    };

    /** Sends each piece in a frame of its own, split at every UTF-16 unit. */
    const holdCut = async (frameOf: (piece: string) => Frame, text: string, name: string): Promise<void> => {
      for (let cut = 1; cut < text.length; cut++) {
        if (!isInPart(`${route} ${name} at ${cut}`, SHARE)) continue;
        const frames = [text.slice(0, cut), text.slice(cut)].map((piece) => spell(frameOf(piece)));
        await holdBlocked([...frames, DONE], `${name}, cut at ${cut}`);
      }
    };

    test(`${route}: split within characters of two UTF-16 units`, async () => {
      for (const [name, frameOf] of strands) await holdCut(frameOf, `😀${SECRET}😀`, name);
    });

    test(`${route}: split within disguised letters`, async () => {
      const [name, frameOf] = strands[0]!;
      await holdCut(frameOf, `so ${wide(SECRET)}.`, name);
      await holdCut(frameOf, `so ${[...SECRET].join('\u200b')}.`, name);
    });

    test(`${route}: split within the escapes of a tool's arguments`, async () => {
      for (const [name, frameOf] of strands) {
        if (!ARGUMENTS.test(name)) continue;
        await holdCut(frameOf, `{"to":"${escaped(SECRET)}"}`, name);
        await holdCut(
          frameOf,
          `{"${escaped('to')}":["x","${SECRET.slice(0, 9)}${escaped(SECRET.slice(9))}"]}`,
          name,
        );
      }
    });

    test(`${route}: packets that end at every byte`, async () => {
      const [, frameOf] = strands[0]!;
      const frame = spell(frameOf(`é😀 ${SECRET} ü`));
      const bytes = Buffer.from(`${frame.replace(SECRET, escaped(SECRET))}${DONE}`);
      assert.ok(bytes.includes('\\u0041'), 'it contains the escapes');
      for (let cut = 1; cut < bytes.length; cut++) {
        if (!isInPart(`${route} at byte ${cut}`, SHARE)) continue;
        await holdBlocked([bytes.subarray(0, cut), bytes.subarray(cut)], `at byte ${cut}`);
      }
    });
  }
});
