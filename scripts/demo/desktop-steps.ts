import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { APIError } from 'openai';
import OpenAI from 'openai';
import { Agent, ProxyAgent, fetch as undiciFetch } from 'undici';
import type { RunningAgentProcess } from '../../test/support/desktop/agent-process.ts';
import { type AgentTestEnv, ATTACK, CARD, HARMLESS } from '../../test/support/desktop/agent-test-env.ts';
import { openTunnel } from '../../test/support/desktop/clients.ts';
import { untilTrue } from '../../test/support/until.ts';
import { errorOf, expectEqual } from './step.ts';

export interface DesktopParts {
  readonly testEnv: AgentTestEnv;
  /** Set from the step that starts it. */
  agent?: RunningAgentProcess;
  proxyPort?: number;
}

export interface DesktopStep {
  readonly name: string;
  /** Resolves to a description of the result. Throws if it is unexpected. */
  run(parts: DesktopParts): Promise<string>;
}

const MODEL = 'gpt-standin';

/** The real client, using the proxy and trusting the certificate of this computer, like any app. */
async function client({ testEnv, proxyPort }: DesktopParts): Promise<{ openai: OpenAI; sent(): string }> {
  const dispatcher = new ProxyAgent({
    uri: `http://127.0.0.1:${proxyPort}`,
    requestTls: { ca: rootOf(testEnv) },
  });
  let sent = '';
  const openai = new OpenAI({
    baseURL: `https://localhost:${testEnv.testProvider.port}/v1`,
    apiKey: 'sk-demo',
    maxRetries: 0,
    fetch: (url, init) => {
      sent = String(init?.body ?? '');
      return undiciFetch(url as string, { ...init, dispatcher } as never) as never;
    },
  });
  return { openai, sent: () => sent };
}

function providerRootOf({ folder }: AgentTestEnv): string {
  return readFileSync(path.join(folder, 'provider-ca.pem'), 'utf8');
}

function rootOf(testEnv: AgentTestEnv): string {
  return readFileSync(path.join(testEnv.agent.stateDir, 'root.pem'), 'utf8');
}

async function complete(
  parts: DesktopParts,
  content: string,
): Promise<{ completion: string | null; sent: string }> {
  const { openai, sent } = await client(parts);
  const { choices } = await openai.chat.completions.create({
    model: MODEL,
    messages: [{ role: 'user', content }],
  });
  return { completion: choices[0]?.message.content ?? null, sent: sent() };
}

/** Resolves to the sentence of a block; the provider must not receive the request. */
async function rejectionOf(parts: DesktopParts, content: string): Promise<string> {
  const before = parts.testEnv.testProvider.requests.length;
  const error = await errorOf<APIError>(complete(parts, content));
  expectEqual('requests at the provider', parts.testEnv.testProvider.requests.length - before, 0);
  const sentence = error.message.replace(/^\d+ /, '');
  if (!/^Content Security Agent: /.test(sentence)) throw new Error('unexpected error', { cause: error });
  return `${error.status}: “${sentence.split('. Ask for')[0]}.”`;
}

export const DESKTOP_STEPS: readonly DesktopStep[] = [
  {
    name: 'enrollment by token',
    async run({ testEnv }) {
      const { enrolled, account_name } = await testEnv.agent.status();
      expectEqual('enrolled', enrolled, true);
      return `joined ${account_name}; the local certificate is valid for AI hosts only`;
    },
  },
  {
    name: 'agent starts',
    async run(parts) {
      parts.agent = await parts.testEnv.start();
      parts.proxyPort = await parts.testEnv.proxyPort();
      return `proxy on 127.0.0.1:${parts.proxyPort}; the system proxy setting is not changed in this demo`;
    },
  },
  {
    name: 'harmless question',
    async run(parts) {
      const { completion, sent } = await complete(parts, HARMLESS);
      expectEqual('completion', completion, 'Paris.');
      expectEqual('bytes at the provider', parts.testEnv.lastPrompt(), sent);
      return `“Paris.” The provider received the same ${Buffer.byteLength(sent)} bytes that were sent`;
    },
  },
  {
    name: 'prompt injection',
    run: (parts) => rejectionOf(parts, ATTACK),
  },
  {
    name: 'card number',
    async run(parts) {
      await complete(parts, CARD);
      const { messages } = JSON.parse(parts.testEnv.lastPrompt());
      expectEqual('text at the provider', messages[0].content, 'my card is [CREDIT_CARD]');
      return 'the provider received “my card is [CREDIT_CARD]”';
    },
  },
  {
    name: 'other website',
    async run({ testEnv, proxyPort }) {
      const socket = await openTunnel(proxyPort ?? 0, `127.0.0.1:${testEnv.testProvider.port}`);
      const tls = connectTls({
        socket,
        // Without SNI, like programs that connect to an IP address.
        host: '127.0.0.1',
        ca: providerRootOf(testEnv),
        checkServerIdentity: () => undefined,
      });
      await once(tls, 'secureConnect');
      tls.destroy();
      return 'tunneled without inspection: the client sees the certificate of the site';
    },
  },
  {
    name: 'exception',
    async run(parts) {
      const { agent, operator } = parts.testEnv;
      const before = (await agent.status()).policy_version;
      const requested = await agent.run(
        'exceptions',
        'request',
        '--host',
        'localhost',
        '--minutes',
        '15',
        '--json',
      );
      const { id } = JSON.parse(requested.stdout) as { id: string };
      await operator.run(['exceptions', 'approve', id]);
      const begun = performance.now();
      const isAllowed = async (): Promise<boolean> => {
        const outcome = await complete(parts, ATTACK).catch(() => null);
        return outcome?.completion === 'Paris.';
      };
      await untilTrue(isAllowed, () => 'the exception never took effect');
      const ms = Math.ceil(performance.now() - begun);
      await agent.run('exceptions', 'cancel', id);
      const isOver = async (): Promise<boolean> => (await complete(parts, ATTACK).catch(() => null)) === null;
      await untilTrue(isOver, () => 'the exception was still active after it was canceled');
      // Waits until this computer knows it too, in case the service becomes unreachable.
      const isKnown = async (): Promise<boolean> => (await agent.status()).policy_version === before;
      await untilTrue(isKnown, () => 'the agent did not learn that the exception has ended');
      return `requested and approved; active ${ms} ms later; after it was canceled, blocked again`;
    },
  },
  {
    name: 'gateway unreachable',
    async run(parts) {
      await parts.testEnv.gateway.kill();
      await rejectionOf(parts, ATTACK);
      expectEqual('harmless question', (await complete(parts, HARMLESS)).completion, 'Paris.');
      return 'the agent decides locally: the injection is blocked, the question is allowed';
    },
  },
  {
    name: 'gateway is back',
    async run({ testEnv }) {
      const { events_waiting } = await testEnv.agent.status();
      await testEnv.restartGateway();
      const isUploaded = async (): Promise<boolean> => (await testEnv.agent.status()).events_waiting === 0;
      await untilTrue(isUploaded, () => 'the decisions were not reported');
      return `${events_waiting} unsent decisions are uploaded, each once`;
    },
  },
  {
    name: 'agent is killed',
    async run({ testEnv, agent, proxyPort }) {
      const begun = performance.now();
      await agent?.end('SIGKILL');
      await untilTrue(
        () => isFree(proxyPort ?? 0),
        () => 'the proxy is still running',
      );
      const ms = Math.ceil(performance.now() - begun);
      const before = testEnv.testProvider.requests.length;
      const direct = new OpenAI({
        baseURL: `https://localhost:${testEnv.testProvider.port}/v1`,
        apiKey: 'sk-demo',
        fetch: (url, init) =>
          undiciFetch(
            url as string,
            {
              ...init,
              dispatcher: new Agent({ connect: { ca: providerRootOf(testEnv) } }),
            } as never,
          ) as never,
      });
      await direct.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content: HARMLESS }] });
      expectEqual('requests at the provider', testEnv.testProvider.requests.length - before, 1);
      return `its proxy exits ${ms} ms later; connections work without it`;
    },
  },
  {
    name: 'unenrollment',
    async run({ testEnv }) {
      const gone = await testEnv.agent.run('unenroll');
      expectEqual('exit code', gone.code, 0);
      expectEqual('enrolled', (await testEnv.agent.status()).enrolled, false);
      return `${gone.stdout.trim().split('\n').length} changes undone; nothing is left`;
    },
  },
];

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}
