/**
 * Masked values in whole answers, buffered and live streams, through a gateway and the proxy of a device: none in an
 * address, all where people and tools expect them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { PROVIDER_KEY } from '../support/clients.ts';
import { startTestStack, type TestStack, testPolicy } from '../support/desktop/test-stack.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { honestPlaces, type MaskedPlace, placeInAddress } from '../support/masked-places.ts';
import { cases, seedFor } from '../support/part.ts';
import { createRandom } from '../support/random.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';

const VALUE = 'anna.svensson@example.com';
const MASK = /\[EMAIL_[0-9A-HJKMNP-TV-Z]{8}\]/;
/** Stands for the placeholder until the provider has seen it. */
const HERE = '[EMAIL_00000000]';
const MODES = ['whole', 'buffered', 'live'] as const;
type Mode = (typeof MODES)[number];

const TOOLS = [{ type: 'function', function: { name: 'send_mail', parameters: { type: 'object' } } }];
const requestIn = (mode: Mode): string =>
  JSON.stringify({
    ...{ model: 'm', stream: mode !== 'whole', tools: TOOLS },
    messages: [{ role: 'user', content: `Write to ${VALUE}.` }],
  });

/** A provider's answer with the place in it, in pieces of `size` if it is a stream. */
function answerOf({ kind, text }: MaskedPlace, mode: Mode, size: number): string {
  const call = (args: string) => ({
    ...{ index: 0, id: 'call_1', type: 'function', function: { name: 'send_mail', arguments: args } },
  });
  const citation = {
    type: 'url_citation',
    url_citation: { start_index: 0, end_index: 3, title: 'x', url: text },
  };
  if (mode === 'whole') {
    const said = {
      text: { content: text },
      call: { content: null, tool_calls: [call(text)] },
      note: { content: 'See there.', annotations: [citation] },
    }[kind];
    return JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', ...said } }] });
  }
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
  const deltas = {
    text: () => pieces.map((content) => ({ content })),
    call: () => [
      { tool_calls: [call('')] },
      ...pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
    ],
    note: () => [{ content: 'See there.' }, { annotations: [citation] }],
  }[kind]();
  const frames = deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
  return `${frames.join('')}data: [DONE]\n\n`;
}

/** What the client shows, or hands to its tool. */
function shownIn(answer: string, mode: Mode): string {
  const textOf = (said: { content?: string | null; tool_calls?: { function?: { arguments?: string } }[] }) =>
    said?.tool_calls?.[0]?.function?.arguments ?? said?.content ?? '';
  if (mode === 'whole') return textOf(JSON.parse(answer).choices?.[0].message);
  const data = answer.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []));
  return data.map((line) => textOf(JSON.parse(line).choices?.[0].delta)).join('');
}

/** A gateway or device, with a provider that answers as told. */
interface Way {
  open(): Promise<void>;
  set(mode: Mode): Promise<void>;
  ask(mode: Mode, answer: (mask: string) => string): Promise<string>;
  close(): Promise<void>;
}

const typeIn = (mode: Mode): string => (mode === 'whole' ? 'application/json' : 'text/event-stream');
const maskIn = (body: Buffer): string => MASK.exec(body.toString())![0];

function throughGateway(): Way {
  let provider: TestProvider;
  let gateway: TestGateway;
  let adminKey: string;
  return {
    async open() {
      provider = await startTestProvider();
      gateway = await startGateway({ providerUrl: provider.url });
      adminKey = (await gateway.addKey({ projectId: null })).plain;
    },
    async set(mode) {
      const body = { masking: 'round_trip', streaming: mode === 'live' ? 'live' : 'buffered' };
      const path = `/api/v1/projects/${gateway.account.projectId}`;
      const { status } = await gateway.call('PATCH', path, { key: adminKey, body });
      assert.equal(status, 200);
    },
    async ask(mode, answer) {
      provider.answer(({ body }) => ({
        headers: { 'content-type': typeIn(mode) },
        body: answer(maskIn(body)),
      }));
      const body = JSON.parse(requestIn(mode));
      const reply = await gateway.call('POST', '/api/v1/chat/completions', { bearer: PROVIDER_KEY, body });
      return reply.text();
    },
    async close() {
      await gateway.close();
      await provider.close();
    },
  };
}

function throughDevice(): Way {
  let stack: TestStack;
  let dispatcher: ProxyAgent;
  return {
    async open() {
      stack = await startTestStack();
      const uri = `http://127.0.0.1:${stack.proxy.port}`;
      dispatcher = new ProxyAgent({ uri, requestTls: { ca: stack.device.root.pem } });
    },
    async set(mode) {
      const policies = [{ id: 'p', action: 'redact', threatTypes: ['pii_leak'] }] as const;
      const ruleset = { useCase: 'default', strictness: 'moderate', policies } as const;
      const streaming = mode === 'live' ? 'live' : 'buffered';
      stack.configure({
        service: { url: 'http://service.invalid', apiKey: 'k' },
        policy: testPolicy({ streaming, masking: 'round_trip', ruleset }),
      });
    },
    async ask(mode, answer) {
      stack.testProvider.answer((response, seen) => {
        response.writeHead(200, { 'content-type': typeIn(mode) }).end(answer(maskIn(seen.body)));
      });
      const url = 'https://api.openai.com/v1/chat/completions';
      const headers = { 'content-type': 'application/json' };
      const reply = await undiciFetch(url, { method: 'POST', headers, body: requestIn(mode), dispatcher });
      return reply.text();
    },
    async close() {
      await dispatcher.close();
      await stack.close();
    },
  };
}

for (const [name, way] of Object.entries({ gateway: throughGateway(), device: throughDevice() }))
  describe(`through a ${name}`, () => {
    before(() => way.open());
    after(() => way.close());

    for (const mode of MODES) {
      test(`no value is put back into an address (${mode})`, async (context) => {
        await way.set(mode);
        const random = createRandom(seedFor(`addresses ${mode}`));
        const count = cases(30, 500);
        let passed = 0;
        for (let left = count; left > 0; left--) {
          const place = placeInAddress(random, HERE);
          const size = place.text.length > 10_000 ? 4_096 : random.pick([1, 9, 80]);
          const answer = await way.ask(mode, (mask) =>
            answerOf({ ...place, text: place.text.replaceAll(HERE, mask) }, mode, size),
          );
          const shown = shownIn(answer, mode);
          assert.ok(!`${answer}\n${shown}`.includes('svensson'), JSON.stringify(place).slice(-300));
          if (MASK.test(shown) || (place.kind === 'note' && MASK.test(answer))) passed++;
        }
        context.diagnostic(`${passed} of ${count} passed with the placeholder, the others were refused`);
        assert.ok(passed > count / 2, `${passed} of ${count}`);
      });

      test(`values are put back where they are expected (${mode})`, async () => {
        await way.set(mode);
        const random = createRandom(seedFor(`honest places ${mode}`));
        for (const place of honestPlaces(cases(20, 200), random, HERE)) {
          const answer = await way.ask(mode, (mask) =>
            answerOf({ ...place, text: place.text.replaceAll(HERE, mask) }, mode, 9),
          );
          assert.equal(shownIn(answer, mode), place.text.replaceAll(HERE, VALUE));
        }
      });
    }
  });
