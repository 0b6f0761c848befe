/** The real proxy process, started again by its agent. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  createProxyProgram,
  type ProxyProgram,
} from '../../../../apps/desktop/src/agent/protection/proxy-program.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { type Journal, openJournal } from '../../../../apps/desktop/src/journal/open-journal.ts';
import { type CompanyProxy, startCompanyProxy } from '../../../support/company-proxy.ts';
import { type Authority, newAuthority } from '../../../support/desktop/certificates.ts';
import { curl, noCurl } from '../../../support/desktop/curl.ts';
import { PROBE_HOST, testConfig, testPolicy } from '../../../support/desktop/test-stack.ts';
import { startTlsProvider, type TlsProvider } from '../../../support/desktop/tls-provider.ts';
import { SIGNED_TURNS, type SignedTurn } from '../../../support/signed-turns.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const TEXT = 'A Visa test number is 4242 4242 4242 4242, which the form takes.';
const ADDRESS: Readonly<Record<string, readonly [whole: string, stream: string]>> = {
  messages: ['api.anthropic.com/v1/messages', 'api.anthropic.com/v1/messages'],
  responses: ['api.openai.com/v1/responses', 'api.openai.com/v1/responses'],
  chat: ['api.openai.com/v1/chat/completions', 'api.openai.com/v1/chat/completions'],
  gemini: [
    'generativelanguage.googleapis.com/v1beta/models/m:generateContent',
    'generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse',
  ],
};
const HOSTS = ['api.anthropic.com', 'api.openai.com', 'generativelanguage.googleapis.com'];
// A signed request cannot be changed, and Bedrock's streams are not read on devices.
const TURNS = SIGNED_TURNS.filter(({ name }) => !name.startsWith('bedrock'));

describe('a proxy that is started again', { skip: noCurl }, () => {
  const folder = tempFolder('proxy-program');
  let device: Authority;
  let provider: TlsProvider;
  let company: CompanyProxy;
  let journal: Journal;
  let program: ProxyProgram;
  let port = 0;
  let stop = (): void => {};
  before(async () => {
    const authority = await newAuthority(HOSTS);
    device = await newAuthority([...HOSTS, PROBE_HOST]);
    provider = await startTlsProvider(authority);
    company = await startCompanyProxy({ leadTo: () => provider.port });
    journal = openJournal({ file: path.join(folder, 'journal.sqlite'), maxEvents: 9, nowMs: 0 });
    program = createProxyProgram({
      parts: { settings: { proxyPort: 0 }, env: process.env, files: stateFiles(folder) } as never,
      leafFor: (host) => device.issuer.leafFor(host, Date.now()),
      onEvent: () => {},
      journal,
      beforeStart: () => {},
    });
    const { port: _, pac: __, ...config } = testConfig();
    program.configure({
      ...config,
      ...{ policy: testPolicy({ hosts: HOSTS }), upstreamProxy: company.url },
      upstreamCa: [authority.root.pem],
      // Nobody listens there: the device decides.
      service: { url: 'http://127.0.0.1:1', apiKey: 'svc_live_device' },
    });
    await start();
  });
  after(async () => {
    stop();
    journal.close();
    await company.close();
    await provider.close();
  });

  async function start(): Promise<void> {
    const ready = Promise.withResolvers<number>();
    const gone = Promise.withResolvers<void>();
    const handle = program.start({
      ready: ready.resolve,
      exited(reason) {
        ready.reject(new Error(reason));
        gone.resolve();
      },
    });
    ready.promise.catch(() => {});
    stop = () => handle.kill();
    port = await ready.promise;
    restart = async () => {
      handle.kill();
      await gone.promise;
      await start();
    };
  }
  let restart = async (): Promise<void> => {};

  async function send({ name, request }: SignedTurn, history: readonly object[], isStream: boolean) {
    const address = ADDRESS[name.split(',', 1)[0]!]![isStream ? 1 : 0];
    const body = JSON.stringify({ ...request(history), ...(isStream && { stream: true }) });
    const before = provider.requests.length;
    const got = await curl(port, device.root.pem, [
      ...['-H', 'content-type: application/json', '--data-binary', body, `https://${address}`],
    ]);
    const sent = provider.requests[before]?.body.toString();
    return { status: got.status, isUnchanged: sent === body };
  }

  test('knows the signed blocks of earlier answers, whole and streamed, and no others', async () => {
    const kinds = TURNS.flatMap((turn) => [false, true].map((isStream) => ({ turn, isStream })));
    const blockOf = (turn: SignedTurn, isStream: boolean) => turn.block(TEXT, `EqQBCkYIBxgC${isStream}`);
    for (const { turn, isStream } of kinds) {
      const block = blockOf(turn, isStream);
      provider.answer((response) => {
        const type = isStream ? turn.streamType : 'application/json';
        response.writeHead(200, { 'content-type': type });
        response.end(
          isStream
            ? turn.stream(block, [TEXT.slice(0, 9), TEXT.slice(9)])
            : JSON.stringify(turn.answer(block)),
        );
      });
      assert.equal((await send(turn, [], isStream)).status, 200, turn.name);
    }
    await restart();
    provider.answer((response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    for (const { turn, isStream } of kinds) {
      const what = `${turn.name}, ${isStream ? 'streamed' : 'whole'}`;
      assert.deepEqual(
        await send(turn, [blockOf(turn, isStream)], isStream),
        { status: 200, isUnchanged: true },
        what,
      );
      const foreign = await send(turn, [turn.block(`${TEXT} No.`, 'EqAnother')], isStream);
      assert.deepEqual(foreign, { status: 403, isUnchanged: false }, what);
    }
    assert.doesNotMatch(JSON.stringify(journal.answers()), /EqQB|4242/);
  });

  test('starts and serves without a journal that can be read', async () => {
    journal.close();
    await restart();
    assert.equal((await send(TURNS[0]!, [], false)).status, 200);
  });
});
