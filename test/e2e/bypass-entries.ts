/**
 * Every place where a text can enter, as a function that reports whether the text was caught: masked, rejected,
 * withheld.
 */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { createGatewayClient } from '@csg/client';
import type { DeviceConfig } from '@csg/shared/contract';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { Pool } from 'undici';
import { startGuardProxy } from '../../apps/cloud/src/mcp/guard-proxy.ts';
import { createToolCallEvaluator } from '../../apps/cloud/src/mcp/tool-call-evaluator.ts';
import { policyOfConfig } from '../../apps/desktop/src/agent/protection/policy-of-config.ts';
import { compilePolicy } from '../../apps/desktop/src/inspect/compile-policy.ts';
import { decideExchange } from '../../apps/desktop/src/inspect/decide-exchange.ts';
import { planTurn } from '../../apps/desktop/src/inspect/plan-turn.ts';
import { readRequest } from '../../apps/desktop/src/inspect/read-request.ts';
import { NO_MEMORY } from '../../apps/desktop/src/inspect/text-memory.ts';
import { PROVIDER_KEY } from '../support/clients.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { makePdf } from '../support/make-pdf.ts';
import { startTestProvider } from '../support/test-provider.ts';

export interface Entry {
  /** Kinds to catch: developers' own texts may contain instructions, and a key on a page is the page's content. */
  readonly takes: readonly ('order' | 'key')[];
  isCaught(text: string): Promise<boolean>;
}

export interface BypassTestEnv {
  readonly entries: Readonly<Record<string, Entry>>;
  close(): Promise<void>;
}

type Body = Record<string, unknown>;

const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** Text that is not ASCII goes into a note: the pages of makePdf take ASCII only. */
const pdf = (text: string): string =>
  makePdf(/^[ -~]*$/.test(text) ? { pages: [text] } : { pages: ['A page.'], notes: [text] }).toString(
    'base64',
  );
const MORE = 'Sum up what you find there.';

const chat = (...messages: unknown[]): Body => ({ model: 'gpt-test', messages });
const user = (...content: unknown[]): Body => ({ role: 'user', content });
const message = { role: 'user', content: MORE };
const call = (name: string, args: string): Body => ({
  role: 'assistant',
  tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: args } }],
});
const image = { type: 'image_url', image_url: { url: 'https://e.test/a.png' } };
const file = (filename: string, data: string): Body => ({
  type: 'file',
  file: { filename, file_data: data },
});
const document = (media_type: string, data: string, title?: string): Body => ({
  type: 'document',
  source: { type: 'base64', media_type, data },
  ...(title === undefined ? {} : { title }),
});
const tool = (name: string, description: string): Body => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: {} } },
});
const messages = (...list: unknown[]): Body => ({ model: 'claude-test', max_tokens: 9, messages: list });
const responses = (...input: unknown[]): Body => ({ model: 'gpt-test', input: [message, ...input] });

/** Bodies of the three provider families. */
const PROXIED: Readonly<Record<string, Readonly<Record<string, (text: string) => Body>>>> = {
  '/chat/completions': {
    'user text': (text) => chat({ role: 'user', content: text }),
    'user text in blocks': (text) => chat(user({ type: 'text', text })),
    'tool result': (text) =>
      chat(message, call('find', '{}'), { role: 'tool', tool_call_id: 'c1', content: text }),
    'tool result in JSON': (text) =>
      chat(message, call('find', '{}'), {
        role: 'tool',
        tool_call_id: 'c1',
        content: JSON.stringify({ found: text }),
      }),
    'member name in a tool result': (text) =>
      chat(message, call('find', '{}'), {
        role: 'tool',
        tool_call_id: 'c1',
        content: JSON.stringify({ [text]: 1 }),
      }),
    'argument of a call': (text) => chat(message, call('find', JSON.stringify({ what: text }))),
    'name of an argument': (text) => chat(message, call('find', JSON.stringify({ [text]: 1 }))),
    'name of a called tool': (text) => chat(message, call(text, '{}')),
    'alt text of an image': (text) => chat(user({ type: 'text', text: `![${text}](https://e.test/a.png)` })),
    'member of an image': (text) => chat(user({ ...image, alt_text: text })),
    'name of a file': (text) => chat(user(file(text, `data:text/plain;base64,${base64('A note.')}`))),
    'text file': (text) => chat(user(file('a.txt', `data:text/plain;base64,${base64(text)}`))),
    PDF: (text) => chat(user(file('a.pdf', `data:application/pdf;base64,${pdf(text)}`))),
  },
  '/messages': {
    'user text': (text) => messages({ role: 'user', content: text }),
    'tool result': (text) =>
      messages(
        message,
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'find', input: {} }] },
        user({ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text }] }),
      ),
    'argument of a call': (text) =>
      messages(message, {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'f', input: { what: text } }],
      }),
    'name of an argument': (text) =>
      messages(message, {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'f', input: { [text]: 1 } }],
      }),
    'title of a document': (text) => messages(user(document('text/plain', base64('A note.'), text))),
    'text document': (text) => messages(user(document('text/csv', base64(`name;words\na;${text}`)))),
    PDF: (text) => messages(user(document('application/pdf', pdf(text)))),
  },
  '/responses': {
    'user text': (text) => ({ model: 'gpt-test', input: text }),
    'output of a function': (text) =>
      responses({ type: 'function_call_output', call_id: 'c1', output: text }),
    'tool of an MCP server': (text) =>
      responses({ type: 'mcp_list_tools', server_label: 's', tools: [{ name: 'find', description: text }] }),
    'text file': (text) =>
      responses(
        user({
          type: 'input_file',
          filename: 'a.md',
          file_data: `data:text/markdown;base64,${base64(text)}`,
        }),
      ),
    PDF: (text) =>
      responses(
        user({
          type: 'input_file',
          filename: 'a.pdf',
          file_data: `data:application/pdf;base64,${pdf(text)}`,
        }),
      ),
  },
};

/** Places for the developer's texts. */
const DEVELOPERS: typeof PROXIED = {
  '/chat/completions': {
    'system text': (text) => chat({ role: 'system', content: text }, message),
    'name of a tool': (text) => ({ ...chat(message), tools: [tool(text, 'Finds things.')] }),
    'description of a tool': (text) => ({ ...chat(message), tools: [tool('find', text)] }),
  },
  '/messages': { 'system text': (text) => ({ ...messages(message), system: text }) },
  '/responses': { instructions: (text) => ({ ...responses(), instructions: text }) },
};

const GUARDED: Readonly<Record<string, (text: string) => Body>> = {
  'user text': (text) => ({ messages: [{ role: 'user', content: text }] }),
  'tool result': (text) => ({ messages: [message, { role: 'tool', content: text }] }),
  'retrieved context': (text) => ({ messages: [message], retrieved_context: [{ content: text }] }),
  'member of retrieved context': (text) => ({
    messages: [message],
    retrieved_context: [{ content: 'A note.', metadata: { [text]: 1 } }],
  }),
  'argument of a call': (text) => ({
    messages: [message],
    context: { tool_calls: [{ name: 'find', args: { what: text } }] },
  }),
  media: (text) => ({ messages: [message], media: [document('text/html', base64(`<p>${text}</p>`))] }),
};

const PAGES: Readonly<Record<string, (text: string) => string>> = {
  'visible text': (text) => `<p>Tea is a drink.</p><p>${escaped(text)}</p>`,
  comment: (text) => `<p>Tea is a drink.</p><!-- ${text.replaceAll('-->', '-- >')} -->`,
  'alt text': (text) => `<p>Tea is a drink.</p><img src="/a.png" alt="${escaped(text)}">`,
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

export async function startBypassTestEnv(): Promise<BypassTestEnv> {
  const testProvider = await startTestProvider();
  const gateway = await startGateway({
    providerUrl: testProvider.url,
    env: { SCRAPE_ALLOW_PRIVATE: 'on' },
  });
  await gateway.storage.subscriptions.set(gateway.account.accountId, { perMinute: 1_000_000 });
  const pool = new Pool(gateway.address, { connections: 8 });
  const page = await startPage();
  const proxy = await startMcp(gateway);
  const post = createPost(pool, gateway.key);
  const device = await offlineDevice(gateway);

  const entries: Record<string, Entry> = {};
  const add = (name: string, isCaught: Entry['isCaught'], takes: Entry['takes'] = ['order', 'key']): void => {
    entries[name] = { takes, isCaught };
  };
  for (const [set, takes] of [
    [PROXIED, ['order', 'key']],
    [DEVELOPERS, ['key']],
  ] as const) {
    for (const [path, bodies] of Object.entries(set)) {
      for (const [place, bodyOf] of Object.entries(bodies)) {
        // An instruction in an earlier tool call of the model is only reported.
        const isCall = /argument|called/.test(place);
        const isCaught = async (text: string): Promise<boolean> => {
          const caught = await post(path, bodyOf(text));
          return caught.isCaught || (isCall && caught.isReported);
        };
        add(`${path}: ${place}`, isCaught, takes);
      }
    }
  }
  for (const [place, bodyOf] of Object.entries(GUARDED))
    add(`guard: ${place}`, async (text) => (await post('/guard', bodyOf(text))).isCaught);
  add('scan', async (content) => (await post('/security/scan', { content })).isCaught);
  let calls = 0;
  for (const [place, argumentsOf] of Object.entries({
    argument: (text: string): Body => ({ tool_name: 'find', arguments: { what: text } }),
    'name of an argument': (text: string): Body => ({ tool_name: 'find', arguments: { [text]: 1 } }),
  })) {
    add(`validate-tool: ${place}`, async (text) => {
      const { answer } = await post('/agent/validate-tool', {
        agent_id: `a${calls++}`,
        ...argumentsOf(text),
      });
      return answer['allowed'] === false;
    });
  }
  for (const [place, pageOf] of Object.entries(PAGES)) {
    add(
      `page: ${place}`,
      async (text) => {
        const { answer } = await post('/scrape', { url: page.show(pageOf(text)) });
        return answer['status'] === 'blocked';
      },
      ['order'],
    );
  }
  add('MCP proxy: result of a tool', proxy.isWithheld);
  add('device alone: user text', async (text) => device(chat({ role: 'user', content: text })));
  add('device alone: tool result', async (text) =>
    device(chat(message, call('find', '{}'), { role: 'tool', tool_call_id: 'c1', content: text })),
  );
  return {
    entries,
    async close() {
      page.close();
      await pool.close();
      await gateway.close();
      await testProvider.close();
    },
  };
}

type Post = (
  path: string,
  body: Body,
) => Promise<{ readonly isCaught: boolean; readonly isReported: boolean; readonly answer: Body }>;

function createPost(pool: Pool, key: string): Post {
  return async (path, body) => {
    const {
      statusCode,
      headers,
      body: answer,
    } = await pool.request({
      method: 'POST',
      path: `/api/v1${path}`,
      headers: {
        'content-type': 'application/json',
        'x-api-key': key,
        authorization: `Bearer ${PROVIDER_KEY}`,
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert.ok(
      statusCode === 200 || statusCode === 403,
      `${path} answered ${statusCode}: ${text.slice(0, 200)}`,
    );
    return {
      isCaught: headers['x-service-decision'] !== 'allow',
      isReported: headers['x-service-threat-type'] !== 'none',
      answer: JSON.parse(text) as Body,
    };
  };
}

/** Pages, each at its own address. */
async function startPage(): Promise<{ show(html: string): string; close(): void }> {
  const pages = new Map<string, string>();
  const server: Server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pages.get(url));
    pages.delete(url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  let count = 0;
  return {
    show(shown) {
      const address = `/${++count}`;
      pages.set(address, `<!doctype html><title>Tea</title>${shown}`);
      return `http://127.0.0.1:${port}${address}`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** An assistant and a tool server with the guarding proxy between them. */
async function startMcp(gateway: TestGateway): Promise<{ isWithheld(text: string): Promise<boolean> }> {
  const [assistant, client] = InMemoryTransport.createLinkedPair();
  const [server, tools] = InMemoryTransport.createLinkedPair();
  const evaluate = createToolCallEvaluator(
    createGatewayClient({ baseUrl: gateway.address, apiKey: gateway.key }),
    {
      agentId: 'assistant',
      sessionId: 'one',
    },
  );
  await startGuardProxy({ client, server, evaluator: evaluate, failOpen: false, log: () => {} });
  let result = '';
  tools.onmessage = (message: JSONRPCMessage) => {
    if ('id' in message && 'method' in message)
      void tools.send({
        jsonrpc: '2.0',
        id: message.id as number,
        result: { content: [{ type: 'text', text: result }] },
      });
  };
  await Promise.all([tools.start(), assistant.start()]);
  let id = 0;
  return {
    isWithheld(text) {
      result = text;
      return new Promise((resolve) => {
        assistant.onmessage = (message: JSONRPCMessage) =>
          resolve(
            !('result' in message) ||
              JSON.stringify(message.result) !== JSON.stringify({ content: [{ type: 'text', text }] }),
          );
        void assistant.send({ jsonrpc: '2.0', id: ++id, method: 'resources/read', params: { uri: 'x:y' } });
      });
    },
  };
}

/** The decision of a device on a request while the service does not respond. */
async function offlineDevice(gateway: TestGateway): Promise<(body: Body) => boolean> {
  const answer = await gateway.call('GET', '/api/v1/devices/config', { key: await gateway.addDevice() });
  const config = (await answer.json()) as DeviceConfig;
  const compiled = compilePolicy(policyOfConfig(config, { server: gateway.address, extraHosts: [] }));
  const place = { method: 'POST', host: 'api.openai.com', path: '/v1/chat/completions' };
  return (body) => {
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    const reading = readRequest({ ...place, body: { kind: 'json', bytes } });
    const direction = 'input' as const;
    const turn = planTurn({ reading, direction, host: place.host, scope: '' }, NO_MEMORY);
    const facts = { ...place, direction, reading, turn, nowMs: 0, newEventId: 'evt_1' };
    const outcomes = [{ kind: 'no-answer', reason: 'timeout' }] as const;
    return decideExchange(compiled, { ...facts, outcomes }).kind !== 'forward';
  };
}
