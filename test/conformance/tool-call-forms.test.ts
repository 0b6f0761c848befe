/** Calls in forms made up at random: what an official package gives to its program is what the gateway reads. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CallReading, everyReading, formatByName, type ToolCall } from '@csg/shared/providers';
import { canonicalJson, parseContainer, parseStrictJsonText } from '@csg/shared/text';
import { changeToolLists } from '../../apps/cloud/src/flows/agent/change-tool-lists.ts';
import { addMember } from '../support/accounts.ts';
import { CALL_APIS, CALLED, type CallApi, type CallForm, callForm } from '../support/calls/call-forms.ts';
import { createAsk, type HandedCall } from '../support/calls/handed-calls.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { cases, seedFor } from '../support/part.ts';
import { createRandom } from '../support/random.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';

const FORMATS = {
  chat: 'openai-chat',
  messages: 'anthropic-messages',
  responses: 'openai-responses',
} as const;

let provider: TestProvider;
let gateway: TestGateway;
before(async () => {
  provider = await startTestProvider({ record: false });
  gateway = await startGateway({ providerUrl: provider.url });
  const { organizationId, projectId } = gateway.account;
  const { userId } = await addMember(gateway, { organizationId, projectId }, 'admin');
  await changeToolLists(
    { storage: gateway.storage },
    { organizationId, id: userId, userId } as never,
    projectId,
    {
      ...{ blocked_tools: [], allowed_tools: [], review_required_tools: CALLED },
    },
  );
});
after(async () => {
  await gateway.close();
  await provider.close();
});

function answer({ body, isStream }: CallForm): void {
  provider.answer({ body, headers: { 'content-type': isStream ? 'text/event-stream' : 'application/json' } });
}

function readingsOf(api: CallApi, { body, isStream }: CallForm): readonly ToolCall[] {
  const format = formatByName(FORMATS[api]);
  return isStream ? format.readStreamCalls(body) : format.readCalls(parseStrictJsonText(body), () => body);
}

type Shown = Pick<ToolCall, 'name' | 'arguments'>;

/** True if the arguments are those that the program gets: parsed, or as a text. */
function isSame({ name, arguments: shown }: Shown, handed: HandedCall): boolean {
  if (name !== String(handed.name ?? '')) return false;
  const { given } = handed;
  const text = typeof given === 'string' ? given : null;
  const value = text === null ? (given ?? {}) : text === '' ? {} : (parseContainer(text) ?? { input: text });
  const equals = (one: unknown): boolean => canonicalJson(shown) === canonicalJson(one);
  return equals(value) || equals({ input: value }) || (text !== null && equals({ input: text }));
}

/** Text that is no JSON is shown as written: the package may give its program the part that it can parse. */
const isShown = (call: CallReading, handed: HandedCall): boolean =>
  isSame(call, handed) || (!call.isWellFormed && call.name === String(handed.name ?? ''));

/** A program fails at arguments that are no JSON. */
const isRunnable = ({ given }: HandedCall): boolean =>
  typeof given !== 'string' || parseContainer(given) !== null;

describe('a call in any form', () => {
  for (const api of CALL_APIS)
    test(`is read as the official package gives it to its program (${api})`, async () => {
      const ask = createAsk(api, provider.url, 'key');
      const random = createRandom(seedFor(`tool-call-forms ${api}`));
      let handed = 0;
      for (let left = cases(60, 600); left > 0; left--) {
        const form = callForm(api, random);
        answer(form);
        const { calls } = await ask(form);
        const read = readingsOf(api, form);
        for (const call of calls) {
          handed++;
          const what = `${JSON.stringify(call)} in ${form.body}\n${JSON.stringify(read, null, 1)}`;
          assert.ok(
            everyReading(read).some((one) => isShown(one, call)),
            `unread: ${what}`,
          );
          if (isRunnable(call))
            assert.ok(
              read.some((one) => isShown(one, call)),
              `not shown: ${what}`,
            );
        }
      }
      assert.ok(handed > 10, `${handed} calls`);
    });

  for (const api of CALL_APIS)
    test(`waits for a review that shows what the package gives to its program (${api})`, async () => {
      const direct = createAsk(api, provider.url, 'key');
      const guarded = createAsk(api, `${gateway.address}/api`, gateway.key);
      const random = createRandom(seedFor(`tool-call-forms reviewed ${api}`));
      for (let left = cases(8, 120); left > 0; left--) {
        const form = callForm(api, random);
        answer(form);
        const { calls } = await direct(form);
        const named = calls.filter(({ name }) => CALLED.includes(String(name)));
        const { calls: passed, error } = await guarded(form);
        assert.ok(!passed.some(({ name }) => CALLED.includes(String(name))), `passed: ${form.body}`);
        const id = /trev_\w+/.exec(JSON.stringify((error as { error?: unknown } | null)?.error ?? null))?.[0];
        if (named.length === 0 || id === undefined) continue;
        const review = await gateway.storage.toolReviews.get(gateway.account.organizationId, id);
        const shown = { name: review!.toolName, arguments: review!.arguments as ToolCall['arguments'] };
        // A call in another interface's form is held too, and approved by itself.
        const others = readingsOf(api, form).filter((one) => !named.some((call) => isShown(one, call)));
        const isCut = 'input' in shown.arguments && typeof shown.arguments['input'] === 'string';
        assert.ok(
          named.some((call) => isSame(shown, call) || (isCut && call.name === shown.name)) ||
            others.some(
              (one) =>
                one.name === shown.name && canonicalJson(one.arguments) === canonicalJson(shown.arguments),
            ),
          `shown ${JSON.stringify(shown)} of ${JSON.stringify(named)} in ${form.body}`,
        );
      }
    });
});
