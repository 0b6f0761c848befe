/** What a provider signed, through the real proxy of a device: to the client and back, whole, buffered and live. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { startTestStack, type TestStack, testPolicy } from '../../support/desktop/test-stack.ts';
import { SIGNED_TURNS, type SignedTurn } from '../../support/signed-turns.ts';

const ANNA = 'anna.svensson@example.com';
const CARD = '4242 4242 4242 4242';
/** Bedrock's masks are one-way on devices. */
const MASK = /\[EMAIL(?:_\w{8})?\]/;
const GEMINI = 'generativelanguage.googleapis.com';
const BEDROCK = 'bedrock-runtime.eu-west-1.amazonaws.com';
const HOSTS: Readonly<Record<string, string>> = {
  messages: 'https://api.anthropic.com',
  responses: 'https://api.openai.com',
  chat: 'https://api.openai.com',
  gemini: `https://${GEMINI}`,
  bedrock: `https://${BEDROCK}`,
};
const MODES = ['whole', 'buffered', 'live'] as const;
type Mode = (typeof MODES)[number];

describe('signed blocks through the proxy of a device', () => {
  let stack: TestStack;
  let dispatcher: ProxyAgent;
  before(async () => {
    stack = await startTestStack({ hosts: [GEMINI, BEDROCK] });
    const uri = `http://127.0.0.1:${stack.proxy.port}`;
    dispatcher = new ProxyAgent({ uri, requestTls: { ca: stack.device.root.pem } });
  });
  after(async () => {
    await dispatcher.close();
    await stack.close();
  });

  const configure = (mode: Mode): void => {
    const policies = [{ id: 'p', action: 'redact', threatTypes: ['pii_leak'] }] as const;
    stack.configure({
      service: { url: 'http://service.invalid', apiKey: 'k' },
      policy: testPolicy({
        hosts: testPolicy().hosts.concat(GEMINI, BEDROCK),
        ...{ streaming: mode === 'live' ? 'live' : 'buffered', masking: 'round_trip' },
        ruleset: { useCase: 'default', strictness: 'moderate', policies },
      }),
    });
  };

  /** Sends a request with these blocks in its history and an address in its question. */
  const ask = async (turn: SignedTurn, history: readonly object[], mode: Mode) => {
    const count = stack.testProvider.requests.length;
    const isStream = mode !== 'whole';
    const own = turn.request(history);
    const flagged = isStream && !turn.path(true).includes('tream') ? { ...own, stream: true } : own;
    const answer = await undiciFetch(`${hostOf(turn)}${turn.path(isStream).slice('/api'.length)}`, {
      ...{ method: 'POST', dispatcher },
      headers: { 'content-type': 'application/json', ...turn.headers },
      body: JSON.stringify(flagged).replace('Who wrote the parser?', `Write to ${ANNA}.`),
    });
    const text = Buffer.from(await answer.arrayBuffer()).toString();
    const sent = stack.testProvider.requests.slice(count).at(-1)?.body.toString();
    return { status: answer.status, text, sent };
  };
  const hostOf = ({ name }: SignedTurn): string => HOSTS[name.split(',', 1)[0]!]!;

  for (const turn of SIGNED_TURNS) {
    for (const mode of MODES) {
      // Bedrock's streams are not read on devices.
      if (mode !== 'whole' && turn.name.startsWith('bedrock')) continue;
      test(`${turn.name}, ${mode}: reaches the client and goes back as the provider wrote it`, async () => {
        configure(mode);
        let block: object = {};
        stack.testProvider.answer((response, { body }) => {
          const mask = MASK.exec(body.toString())?.[0] ?? 'none';
          const text = `I write to ${mask} about ${CARD}, ${mode}.`;
          block = turn.block(text, `EqQB${turn.name.length}${mode}`);
          const says = (answer: string): string => answer.replaceAll('One moment.', `Mail to ${mask} sent.`);
          const pieces = [text.slice(0, 13), text.slice(13, 40), text.slice(40)];
          const isStream = mode !== 'whole';
          response.writeHead(200, { 'content-type': isStream ? turn.streamType : 'application/json' });
          response.end(
            says(isStream ? String(turn.stream(block, pieces)) : JSON.stringify(turn.answer(block))),
          );
        });
        const { status, text } = await ask(turn, [], mode);
        assert.equal(status, 200, text);
        assert.ok(!text.includes(`to ${ANNA} about`), text);
        if (text.includes('Mail to'))
          assert.equal(text.includes(`Mail to ${ANNA} sent.`), !turn.name.startsWith('bedrock'), text);

        const answered = block;
        const { status: accepted, sent = '' } = await ask(turn, [answered], mode);
        assert.equal(accepted, 200);
        assert.ok(sent.includes(JSON.stringify(answered)), sent);
        assert.ok(MASK.test(sent.replace(JSON.stringify(answered), '')), sent);
        assert.ok(!sent.includes(ANNA), sent);

        const foreign = await ask(turn, [turn.block(`The card is ${CARD}.`, 'EqForeign')], mode);
        assert.equal(foreign.sent, undefined);
        assert.match(foreign.text, /Remove the block /);
      });
    }
  }

  const SIGNS_NOTHING: Readonly<Record<string, object>> = {
    'messages, thinking': { type: 'thinking', thinking: `The card is ${CARD}.` },
    'messages, an empty signature': { type: 'thinking', thinking: `The card is ${CARD}.`, signature: '' },
    'messages, a block that nobody knows': { type: 'musing', text: `The card is ${CARD}.` },
    'responses, reasoning': {
      ...{ id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: `The card is ${CARD}.` }] },
    },
    'chat, reasoning details': { type: 'reasoning.text', text: `The card is ${CARD}.` },
    'gemini, a part': { text: `The card is ${CARD}.` },
    'bedrock, reasoning content': { reasoningContent: { reasoningText: { text: `The card is ${CARD}.` } } },
  };
  for (const [name, block] of Object.entries(SIGNS_NOTHING)) {
    test(`${name}, of a provider that signs nothing: is masked like any other text`, async () => {
      configure('whole');
      stack.testProvider.answer((response) => response.writeHead(200).end('{}'));
      const turn = SIGNED_TURNS.find((one) => one.name.startsWith(name.split(',', 1)[0]!))!;
      const { status, sent = '' } = await ask(turn, [block], 'whole');
      assert.equal(status, 200);
      assert.match(sent, /The card is \[CREDIT_CARD(?:_\w{8})?\]\./);
    });
  }
});
