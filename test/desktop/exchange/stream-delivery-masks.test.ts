/** Masked values through the real proxy of a device: what the provider receives, and what the client gets back. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { formatByName } from '@csg/shared/providers';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import { startTestStack, type TestStack, testPolicy } from '../../support/desktop/test-stack.ts';

const ANNA = 'anna.svensson@example.com';
const BO = 'bo@example.org';
const KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const MASK = /\[(EMAIL|API_KEY)_[0-9A-HJKMNP-TV-Z]{8}\]/g;
const skip = noCurl;

let stand: TestStack;
before(async () => {
  stand = await startTestStack();
});
after(() => stand.close());
beforeEach(() => configure('live'));

function configure(streaming: 'live' | 'buffered', apiKey = 'k1'): void {
  const policies = [{ id: 'p', action: 'redact', threatTypes: ['pii_leak', 'secret_leak'] }] as const;
  stand.configure({
    service: { url: 'http://service.invalid', apiKey },
    policy: testPolicy({
      ...{ streaming, masking: 'round_trip', secretTools: { deploy: ['api_key'] } },
      ruleset: { useCase: 'support_bot', strictness: 'moderate', policies },
    }),
  });
}

/** The provider responds with the text that `says` makes of the placeholders it received. */
async function ask(
  content: string,
  says: (...masks: string[]) => string | Readonly<Record<string, unknown>>,
  { stream = false, cut = 1 } = {},
): Promise<string> {
  stand.testProvider.answer((response, seen) => {
    const masks = seen.body.toString().match(MASK) ?? [];
    const output = says(...masks);
    const delta = typeof output === 'string' ? { content: output } : output;
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
    if (!stream) {
      response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', ...delta } }] }));
      return;
    }
    for (const piece of piecesOf(delta, cut))
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: piece }] })}\n\n`);
    response.end('data: [DONE]\n\n');
  });
  const body = JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content }] });
  const args = ['-N', '-H', 'content-type: application/json', '-d', body];
  const url = 'https://api.openai.com/v1/chat/completions';
  return (await curl(stand.proxy.port, stand.device.root.pem, [...args, url])).stdout;
}

function piecesOf(delta: Readonly<Record<string, unknown>>, cut: number): object[] {
  const inPieces = (text: string): string[] => text.match(new RegExp(`[^]{1,${cut}}`, 'g')) ?? [];
  const { content, tool_calls } = delta as { content?: string; tool_calls?: { function: object }[] };
  if (content !== undefined) return inPieces(content).map((piece) => ({ content: piece }));
  return (tool_calls ?? []).flatMap((call, index) => {
    const { name, arguments: text } = call.function as { name: string; arguments: string };
    const head = { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } };
    return [head, ...inPieces(text).map((piece) => ({ index, function: { arguments: piece } }))].map(
      (one) => ({
        tool_calls: [one],
      }),
    );
  });
}

const sent = (): string => stand.testProvider.requests.at(-1)!.body.toString();
const textsOf = (stream: string): string[] =>
  formatByName('openai-chat')
    .readStream(stream)
    .slots.map(({ text }) => text);

test('the provider gets placeholders and the client the values: whole, buffered and live, split anywhere', {
  skip,
}, async () => {
  const whole = JSON.parse(await ask(`Write to ${ANNA}.`, (mask) => `I wrote to ${mask}, "${mask}".`));
  assert.ok(!sent().includes(ANNA), sent());
  assert.equal(whole.choices[0].message.content, `I wrote to ${ANNA}, "${ANNA}".`);
  for (const streaming of ['live', 'buffered'] as const) {
    configure(streaming);
    for (const cut of [1, 2, 3, 5, 7, 11, 100]) {
      const got = await ask(
        `Write to ${ANNA} and ${BO}.`,
        (one, two) => `I wrote to ${one} and to ${two} now.`,
        {
          stream: true,
          cut,
        },
      );
      assert.deepEqual(textsOf(got), [`I wrote to ${ANNA} and to ${BO} now.`], `${streaming}, cut at ${cut}`);
    }
  }
});

test('a value has the same placeholder in each request of a device, and another on the next device', {
  skip,
}, async () => {
  await ask(`Write to ${ANNA}.`, () => 'Yes.');
  const [first] = sent().match(MASK)!;
  await ask(`Once more: ${ANNA}, and ${BO}.`, () => 'Yes.');
  assert.ok(sent().includes(first));
  assert.equal(new Set(sent().match(MASK)).size, 2);
  configure('live', 'k2');
  await ask(`Write to ${ANNA}.`, () => 'Yes.');
  assert.ok(!sent().includes(first) && MASK.test(sent()));
});

test('nothing else is restored: placeholders that are invented, typed, of another request or in URLs', {
  skip,
}, async () => {
  await ask(`Write to ${BO}.`, () => 'Yes.');
  const [other] = sent().match(MASK)!;
  for (const stream of [false, true]) {
    const prompt = `Write to ${ANNA}. Not to [EMAIL_7K3M9QWX] or ${other}.`;
    const text = await ask(
      prompt,
      (mask) => `[EMAIL_00000000] [EMAIL_7K3M9QWX] ${other} https://x.example/?q=${mask} ${mask} .`,
      {
        stream,
        cut: 3,
      },
    );
    const [output] = stream ? textsOf(text) : [JSON.parse(text).choices[0].message.content];
    const [mask] = sent().match(MASK)!;
    assert.equal(output, `[EMAIL_00000000] [EMAIL_7K3M9QWX] ${other} https://x.example/?q=${mask} ${ANNA} .`);
  }
});

test('secrets are restored only in arguments of the named tools', { skip }, async () => {
  const call = (name: string, mask: string) => ({
    tool_calls: [
      { id: 'call_0', type: 'function', function: { name, arguments: JSON.stringify({ key: mask }) } },
    ],
  });
  for (const [stream, streaming] of [
    [false, 'live'],
    [true, 'live'],
    [true, 'buffered'],
  ] as const) {
    configure(streaming);
    const named = await ask(`Deploy with ${KEY} now.`, (mask) => call('deploy', mask), { stream, cut: 4 });
    assert.ok(!sent().includes(KEY), sent());
    assert.ok(textOfCalls(named, stream).includes(KEY), `${streaming}: ${named}`);
    const other = await ask(`Deploy with ${KEY} now.`, (mask) => call('post', mask), { stream, cut: 4 });
    assert.ok(!textOfCalls(other, stream).includes(KEY), other);
    const output = await ask(`Deploy with ${KEY} now.`, (mask) => `The key is ${mask} .`, { stream });
    assert.ok(!output.includes(KEY), output);
  }
});

function textOfCalls(body: string, isStream: boolean): string {
  const format = formatByName('openai-chat');
  const read = isStream ? format.readStream(body) : format.readResponse(JSON.parse(body));
  return read.slots.map(({ text }) => text).join(' ');
}
