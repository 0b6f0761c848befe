/** Calls in forms made up at random: what an official package gives to its program is what the gateway reads. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyReading, formatOf, type ToolCall } from '@csg/shared/providers';
import { canonicalJson, parseContainer, parseStrictJsonText } from '@csg/shared/text';
import { changeToolLists } from '../../apps/cloud/src/flows/agent/change-tool-lists.ts';
import { addMember } from '../support/accounts.ts';
import { CALL_CLIENTS } from '../support/calls/call-clients.ts';
import { CALLED, type CallForm, callForm } from '../support/calls/call-forms.ts';
import type { AskForCalls, CallServer, HandedCall } from '../support/calls/handed-call.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { cases, seedFor } from '../support/part.ts';
import { createRandom } from '../support/random.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';

let provider: TestProvider;
let gateway: TestGateway;
let direct: CallServer;
let guarded: CallServer;
before(async () => {
  provider = await startTestProvider({ record: false });
  gateway = await startGateway({ providerUrl: provider.url });
  const { accountId, organizationId, projectId } = gateway.account;
  const { userId } = await addMember(gateway, { organizationId, projectId }, 'admin');
  await gateway.storage.subscriptions.set(accountId, { perMinute: 1_000_000 });
  for (const [name, secret] of [
    ['bedrock', 'AKIDSTANDIN:secret-of-the-stand-in'],
    ['gemini', 'own'],
  ] as const)
    await gateway.storage.projects.setCredential(organizationId, projectId, name, secret);
  await changeToolLists(
    { storage: gateway.storage },
    { organizationId, id: userId, userId } as never,
    projectId,
    { blocked_tools: [], allowed_tools: [], review_required_tools: CALLED },
  );
  const { address, key } = gateway;
  direct = { root: provider.url, bedrock: provider.url, key: 'key' };
  guarded = { root: `${address}/api`, bedrock: `${address}/api/v1`, key };
});
after(async () => {
  await gateway.close();
  await provider.close();
});

function answer({ body, contentType }: CallForm): void {
  provider.answer({ body, headers: { 'content-type': contentType } });
}

function readingsOf({ endpoint, text, isStream }: CallForm): readonly ToolCall[] {
  const format = formatOf(endpoint);
  return isStream ? format.readStreamCalls(text) : format.readCalls(parseStrictJsonText(text), () => text);
}

interface Answered {
  /** The calls of the whole answer. */
  readonly calls: readonly HandedCall[];
  /** Those, and others that the program got while the answer arrived. */
  readonly handed: readonly HandedCall[];
  /** What the package threw; null: it gave the whole answer. */
  readonly error: unknown;
}

async function run(ask: AskForCalls, { isStream }: CallForm): Promise<Answered> {
  const early: HandedCall[] = [];
  // Without a name and arguments there is nothing that a program could run.
  const isCall = ({ name, given }: HandedCall): boolean => name != null || given != null;
  try {
    const calls = (await ask(isStream, (call) => early.push(call))).filter(isCall);
    return { calls, handed: [...early.filter(isCall), ...calls], error: null };
  } catch (error) {
    return { calls: [], handed: early.filter(isCall), error };
  }
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

/** True if a program gets nothing that could be judged but the name: it fails at arguments that are no JSON. */
function isBare({ given }: HandedCall): boolean {
  if (typeof given === 'string') return parseContainer(given) === null;
  return Object.keys(given ?? {}).length === 0;
}

const isRead = (one: Shown, handed: HandedCall): boolean =>
  isSame(one, handed) || (isBare(handed) && one.name === String(handed.name ?? ''));

/** A text that is no JSON is shown as written, or as the part of it that is JSON. */
const isShown = (one: Shown, handed: HandedCall): boolean =>
  isSame(one, handed) || (typeof handed.given === 'string' && handed.given !== '' && isRead(one, handed));

const describeForm = (form: CallForm): string => form.text.replaceAll('n'.repeat(10_000), 'n*10000');

describe('a call in any form', () => {
  for (const { name, api, isOwn, connect } of CALL_CLIENTS) {
    test(`is read as the package gives it to its program (${name})`, async () => {
      const ask = await connect(direct);
      const random = createRandom(seedFor(`tool-call-forms ${name}`));
      let count = 0;
      for (let left = cases(60, 600); left > 0; left--) {
        const form = callForm(api, random);
        answer(form);
        const { calls, handed } = await run(ask, form);
        const read = readingsOf(form);
        const what = (call: HandedCall): string =>
          `${JSON.stringify(call)} in ${describeForm(form)}\n${JSON.stringify(read, null, 1)}`;
        for (const call of handed)
          assert.ok(
            everyReading(read).some((one) => isRead(one, call)),
            `unread: ${what(call)}`,
          );
        for (const call of isOwn ? calls : [])
          assert.ok(
            read.some((one) => isShown(one, call)),
            `not shown: ${what(call)}`,
          );
        count += handed.length;
      }
      assert.ok(count > 10, `${count} calls`);
    });

    test(`waits for a review that shows what the package gives to its program (${name})`, async () => {
      const [askProvider, askGateway] = [await connect(direct), await connect(guarded)];
      const random = createRandom(seedFor(`tool-call-forms reviewed ${name}`));
      for (let left = cases(8, 200); left > 0; left--) {
        const form = callForm(api, random);
        answer(form);
        const { handed } = await run(askProvider, form);
        const listed = handed.filter((call) => CALLED.includes(String(call.name)));
        const passed = await run(askGateway, form);
        assert.ok(
          !passed.handed.some((call) => CALLED.includes(String(call.name))),
          `passed: ${describeForm(form)}`,
        );
        const id = /trev_\w+/.exec(JSON.stringify(passed.error))?.[0];
        if (listed.length === 0 || id === undefined || !isOwn) continue;
        const review = await gateway.storage.requests.get(gateway.account.organizationId, id, 'tool_review');
        const shown = { name: review!.toolName, arguments: review!.arguments as ToolCall['arguments'] };
        // A call in another interface's form is held too, and approved by itself.
        const others = readingsOf(form).filter((one) => !listed.some((call) => isShown(one, call)));
        assert.ok(
          listed.some((call) => isShown(shown, call)) ||
            others.some(
              (one) =>
                one.name === shown.name && canonicalJson(one.arguments) === canonicalJson(shown.arguments),
            ),
          `shown ${JSON.stringify(shown)} of ${JSON.stringify(listed)} in ${describeForm(form)}`,
        );
      }
    });
  }
});
