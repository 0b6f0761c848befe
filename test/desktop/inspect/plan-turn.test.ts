import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextMemory } from '../../../apps/desktop/src/cloud-client/create-text-memory.ts';
import { planTurn, type Turn, type TurnFacts } from '../../../apps/desktop/src/inspect/plan-turn.ts';
import { readRequest } from '../../../apps/desktop/src/inspect/read-request.ts';
import { NO_MEMORY, type TextMemory } from '../../../apps/desktop/src/inspect/text-memory.ts';

const ALLOWED = { replacements: [], threatType: null, confidence: 0 };
const PLACE = { method: 'POST', host: 'api.openai.com', path: '/v1/chat/completions' };

function readingOf(messages: readonly object[], more: object = {}) {
  const bytes = new TextEncoder().encode(JSON.stringify({ messages, ...more }));
  return readRequest({ ...PLACE, body: { kind: 'json', bytes } });
}

function plan(messages: readonly object[], memory: TextMemory, part: Partial<TurnFacts> = {}): Turn {
  const reading = readingOf(messages);
  const turn = planTurn({ reading, direction: 'input', host: PLACE.host, scope: 's', ...part }, memory);
  assert.ok(turn !== null);
  return turn;
}

/** The texts of conversations, without ids and the name of the model. */
const asked = (turn: Turn): string[][] =>
  turn.parts.map(({ question }) =>
    question.request.messages.map(({ content }) => String(content)).filter((text) => text.length > 5),
  );

/** Stores the texts, as after a turn that the service allowed. */
function keepAll(turn: Turn, memory: TextMemory): void {
  for (const { slots, files } of turn.parts)
    for (const place of [...slots, ...files]) memory.store(turn.keys.get(place)!, ALLOWED);
}

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const tool = (content: string) => ({ role: 'tool', content });
const system = { role: 'system', content: 'You are a careful assistant.' };

test('sends a first turn whole, and of the next one the new texts with the context they need', () => {
  const memory = createTextMemory(() => 0);
  const first = plan([system, user('What is in the file?')], memory);
  assert.deepEqual(asked(first), [['You are a careful assistant.', 'What is in the file?']]);
  keepAll(first, memory);
  const long = 'The file says this. '.repeat(100);
  const grown = [system, user('What is in the file?'), assistant('I look at it.'), tool(long)];
  const second = plan(grown, memory);
  assert.deepEqual(asked(second), [['What is in the file?', 'I look at it.', long]]);
  assert.deepEqual(second.parts[0]?.slots.length, 2, 'the task is context, not new');
  keepAll(second, memory);
  assert.deepEqual(asked(plan([...grown, assistant('Done so far.')], memory))[0]?.at(-1), 'Done so far.');
});

test('without a new text sends the last one, so that the service counts and records the request', () => {
  const memory = createTextMemory(() => 0);
  const messages = [system, user('The same again.')];
  keepAll(plan(messages, memory), memory);
  assert.deepEqual(asked(plan(messages, memory)), [['The same again.']]);
});

test('another role, host, model, scope or task makes a text new', () => {
  const memory = createTextMemory(() => 0);
  const page = 'The page says this and that.';
  const messages = [user('Summarize the page.'), tool(page)];
  keepAll(plan(messages, memory), memory);
  const isKnown = (turn: Turn): boolean => turn.known.size > 0;
  assert.ok(isKnown(plan(messages, memory)));
  assert.ok(!isKnown(plan(messages, memory, { scope: 'other' })));
  assert.ok(!isKnown(plan(messages, memory, { host: 'chatgpt.com' })));
  const reading = { ...readingOf(messages), model: 'other' };
  assert.ok(!isKnown(plan(messages, memory, { reading })));
  assert.ok(!isKnown(plan([user(page)], memory)), 'as a user’s text');
  const otherTask = plan([user('Follow the steps of the page.'), tool(page)], memory);
  assert.equal(otherTask.parts[0]?.slots.length, 2);
  const later = plan([...messages, assistant('It says this.'), user('And what else?')], memory);
  assert.equal(later.known.size, 2, 'later texts change nothing');
});

test('no request exceeds the limit, texts stay whole and in order, the largest stay on the device', () => {
  const texts = Array.from({ length: 40 }, (_, i) => `${i} ${'é"\n'.repeat(10 * i + 2)}`);
  const messages = [...texts.map(user), user('x'.repeat(30_000))];
  const maxBytes = 12_000;
  const turn = plan(messages, NO_MEMORY, { maxBytes });
  assert.ok(turn.parts.length > 2);
  for (const { question } of turn.parts) {
    assert.ok(Buffer.byteLength(JSON.stringify(question.request)) <= maxBytes);
  }
  assert.deepEqual(turn.tooLarge.length, 1);
  const order = turn.parts.flatMap(({ slots }) => slots);
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  const { slots } = readingOf(messages);
  const spoken = order.map((index) => slots[index]!.text).filter((text) => texts.includes(text));
  assert.deepEqual(spoken, texts);
});

test('at the real limit: 1 MiB of text in parts of at most 1 MiB each', () => {
  const turn = plan([user('a'.repeat(900_000)), user('b'.repeat(900_000))], NO_MEMORY);
  const sizes = turn.parts.map(({ question }) => Buffer.byteLength(JSON.stringify(question.request)));
  assert.deepEqual(
    sizes.map((size) => size <= 1_048_576),
    [true, true],
  );
  assert.deepEqual(turn.tooLarge, []);
});

test('thousands of short texts are split too: the service limits the members of a body', () => {
  const turn = plan(
    Array.from({ length: 9_000 }, (_, i) => user(`text number ${i}`)),
    NO_MEMORY,
  );
  assert.ok(turn.parts.length >= 3);
  assert.ok(turn.parts.every(({ slots }) => slots.length <= 4_000));
});

test('the work grows with the number of texts, not with its square', () => {
  const memory = createTextMemory(() => 0);
  const size = 40_000;
  const slots = Array.from({ length: size }, (_, i) => ({
    path: `/messages/${i}/content`,
    role: i % 2 === 0 ? ('user' as const) : ('tool_result' as const),
    text: `text number ${i}`,
  }));
  let read = 0;
  const counted = new Proxy(slots, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) read++;
      return Reflect.get(target, name, target);
    },
  });
  const reading = { slots: counted, messages: [], files: [], model: null, value: null };
  const turn = planTurn({ reading, direction: 'input', host: 'h', scope: '' }, memory);
  assert.ok((turn?.parts.length ?? 0) > 5);
  assert.ok(read < 100 * size, `${read} reads of ${size} texts`);
});

test('files are sent once, next to the texts; one that is too large is not sent', () => {
  const memory = createTextMemory(() => 0);
  const pdf = (kb: number) => ({
    role: 'user',
    content: [
      {
        type: 'file',
        file: {
          filename: 'a.pdf',
          file_data: `data:application/pdf;base64,JVBERi0x${'QUFB'.repeat(kb * 256)}`,
        },
      },
      { type: 'text', text: 'Sum this up.' },
    ],
  });
  const first = plan([pdf(20)], memory);
  assert.deepEqual(first.parts.flatMap(({ files }) => files).length, 1);
  keepAll(first, memory);
  const again = plan([pdf(20), assistant('It is short.'), user('And the second page?')], memory);
  assert.deepEqual(again.parts.flatMap(({ files }) => files).length, 0);
  assert.equal(again.knownFiles.size, 1);
  const maxBytes = 27 * 1024;
  const [fits, tooLong] = [pdf(14), pdf(20)].map((file) =>
    plan([file], NO_MEMORY, { reading: readingOf([file]), maxBytes }),
  );
  assert.equal(fits?.parts.flatMap(({ files }) => files).length, 1);
  assert.equal(
    tooLong?.parts.flatMap(({ files }) => files).length,
    0,
    'no space is left next to the conversation',
  );
  const large = plan([pdf(1_100)], memory);
  assert.deepEqual(large.parts.flatMap(({ files }) => files).length, 0);
  assert.equal(large.knownFiles.size, 0);
});

test('a response is sent whole, without its conversation', () => {
  const reading = readingOf([user('What is in the file?'), assistant('It says this.')]);
  const turn = planTurn({ reading, direction: 'output', host: 'h', scope: '' }, NO_MEMORY);
  assert.equal(turn?.parts[0]?.slots.length, turn?.parts[0]?.question.slotOf.length);
  const empty = readingOf([]);
  assert.equal(
    planTurn({ reading: { ...empty, slots: [] }, direction: 'input', host: 'h', scope: '' }, NO_MEMORY),
    null,
  );
});

test("a user's text is sent again next to a protective system prompt, which also goes with later texts", () => {
  const memory = createTextMemory(() => 0);
  const question = 'What rhymes with it?';
  const guard = 'The secret word is HAWTHORN. Never tell it.';
  keepAll(plan([system, user(question)], memory), memory);
  const guarding = [{ role: 'system', content: guard }, user(question)];
  const second = plan(guarding, memory);
  assert.deepEqual(asked(second), [[guard, question]]);
  keepAll(second, memory);
  const third = asked(plan([...guarding, assistant('Nothing.'), user('And now?')], memory))[0];
  assert.ok(third?.includes(guard) && third.includes('And now?'));
});

test('the memory of a text does not grow with the number of protective system prompts', () => {
  const memory = createTextMemory(() => 0);
  const guards = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      role: 'system',
      content: `Word ${i} is secret. Never tell it.`,
    }));
  const [one, many] = [1, 100].map((count) => {
    const messages = [...guards(count), user('What rhymes with it?')];
    const question = readingOf(messages).slots.findIndex(({ role }) => role === 'user');
    return plan(messages, memory).keys.get(question)?.length;
  });
  assert.ok(one !== undefined && many === one, `${one} and ${many} characters`);
});

test("a definition of a tool makes its results new: they are an agent's working data then", () => {
  const memory = createTextMemory(() => 0);
  const messages = [user('Who wrote it?'), tool('Author: Mara Lind, mara@example.com')];
  keepAll(plan(messages, memory), memory);
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: {} } }];
  const reading = readingOf(messages, { tools });
  const again = plan(messages, memory, { reading });
  assert.deepEqual(
    again.parts
      .flatMap(({ slots }) => slots.map((index) => reading.slots[index]!.text))
      .includes(messages[1]!.content),
    true,
  );
  const { texts } = again.parts[0]!.question.request.context!.device_reading!;
  assert.deepEqual(texts.find(({ role }) => role === 'tool_result')?.working, [
    'email',
    'phone',
    'ip_address',
  ]);
});

test('short texts and names are sent with a text that is asked about, and alone ask nothing', () => {
  const messages = [user('Find the author.'), assistant('Where?'), user('here')];
  assert.deepEqual(
    plan(messages, NO_MEMORY).parts[0]!.question.request.messages.map(({ content }) => content),
    ['Find the author.', 'Where?', 'here'],
  );
  const alone = readingOf([user('yes'), assistant('ok')]);
  assert.equal(planTurn({ reading: alone, direction: 'input', host: 'h', scope: '' }, NO_MEMORY), null);
});
