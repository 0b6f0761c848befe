import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment } from '../../../test/support/desktop/certificates.ts';
import { exchangeRaw, openTls } from '../../../test/support/desktop/clients.ts';
import { startTestStack, type TestStack } from '../../../test/support/desktop/test-stack.ts';
import type { Handler } from '../../../test/support/desktop/tls-provider.ts';
import { ATTACK, CARD, type CheckResult } from '../clients/checks.ts';
import type { Tool } from './tools.ts';

const ANSWER = 'With patience.';
const TOOL_MS = 60_000;
const PROMPTS = ['How do I bake bread?', `My card is ${CARD}. Is it a Visa?`, ATTACK];
const REFUSAL = /This message was not sent, because/;

/** A response that the packages of both providers can read. */
const sayPatience: Handler = (response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      id: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
      content: [{ type: 'text', text: ANSWER }],
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  );
};

export interface ProxySetup {
  readonly testStack: TestStack;
  /** File of the device's root certificate. */
  readonly caFile: string;
  close(): Promise<void>;
}

/** Starts the agent's proxy in front of a stand-in provider with both versions of HTTP. */
export async function startProxySetup(folder: string): Promise<ProxySetup> {
  const testStack = await startTestStack();
  testStack.testProvider.answer(sayPatience);
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, testStack.device.root.pem);
  return { testStack: testStack, caFile, close: () => testStack.close() };
}

/** Checks a tool's results for an allowed prompt, a card number and an attack, and what the provider receives. */
export async function checkTool(
  tool: Tool,
  { testStack: stand, caFile }: ProxySetup,
): Promise<CheckResult[]> {
  stand.testProvider.requests.length = 0;
  const output = await outputOf(tool, stand.proxy.port, caFile);
  const results = readOutput(output);
  const seen = stand.testProvider.requests;
  const bodies = seen.map(({ body }) => body.toString());
  const checks: Readonly<Record<string, boolean>> = {
    answer: results[0]?.[0] === 200 && results[0][1].includes(ANSWER),
    redaction: results[1]?.[0] === 200 && bodies[1]?.includes('[CREDIT_CARD]') === true,
    'blocked prompt': results[2]?.[0] === 403 && REFUSAL.test(results[2][1]),
    'only these two at the provider': seen.length === 2 && !bodies.some((body) => body.includes(CARD)),
    [`HTTP/${tool.httpVersion}`]:
      seen.length > 0 && seen.every((one) => one.httpVersion === tool.httpVersion),
  };
  return Object.entries(checks).map(([check, isPassed]) => ({
    client: tool.name,
    check,
    isPassed,
    detail: isPassed ? '' : `${output} ${seen.map(({ httpVersion }) => httpVersion).join(' ')}`,
  }));
}

function readOutput(output: string): readonly (readonly [status: number, text: string])[] {
  try {
    const results: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    return Array.isArray(results) ? results : [];
  } catch {
    return [];
  }
}

/** Uses the environment that `agent env` sets. */
function outputOf({ command, args, cwd, env }: Tool, port: number, caFile: string): Promise<string> {
  const proxy = `http://127.0.0.1:${port}`;
  const child = spawn(command, [...args, ...PROMPTS], {
    cwd,
    env: {
      ...cleanEnvironment(),
      ...{ HTTPS_PROXY: proxy, HTTP_PROXY: proxy, https_proxy: proxy, http_proxy: proxy, NO_PROXY: '' },
      ...{ NODE_EXTRA_CA_CERTS: caFile, SSL_CERT_FILE: caFile },
      ...env,
    },
    timeout: TOOL_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(stdout.trim() === '' ? stderr : stdout));
  });
}

const CASES: readonly ((name: string) => string)[] = [
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name,
  (name) =>
    [...name].map((letter, at) => (at % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join(''),
];

/** Sends header names in several cases with a client of our own; they must arrive unchanged. */
export async function checkHeaderCases({ testStack: stand }: ProxySetup): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const spell of CASES) {
    stand.testProvider.requests.length = 0;
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: PROMPTS[0] }] });
    const headers = { Host: 'api.openai.com', 'Content-Type': 'application/json', 'X-Trace-Id': '7' };
    const lines = Object.entries({ ...headers, 'Content-Length': String(body.length), Connection: 'close' });
    const target = { proxyPort: stand.proxy.port, ca: stand.device.root.pem, host: 'api.openai.com' };
    const head = lines.map(([name, value]) => `${spell(name)}: ${value}\r\n`).join('');
    const text = await exchangeRaw(
      await openTls(target),
      `POST /v1/chat/completions HTTP/1.1\r\n${head}\r\n${body}`,
      ANSWER,
    );
    const raw = stand.testProvider.requests[0]?.rawHeaders ?? [];
    const isKept = ['Content-Type', 'X-Trace-Id', 'Content-Length'].every((name) =>
      raw.includes(spell(name)),
    );
    results.push({
      client: 'raw client',
      check: spell('Header-Names'),
      isPassed: text.startsWith('HTTP/1.1 200') && text.includes(ANSWER) && isKept,
      detail: `${text} ${raw.join(' ')}`,
    });
  }
  return results;
}
