// The guard for other gateways: LiteLLM's generic guardrail API and Portkey's webhook guardrail.
// SERVICE_KEY=svc_live_… node guard-adapter.mjs; with --fail-open texts pass while the gateway does not respond.
import { createServer } from 'node:http';
import { guard, textsOf } from './guard-client.mjs';

const { PORT = '9100' } = process.env;

const adapters = {
  '/beta/litellm_basic_guardrail_api': async ({ texts = [], images, tools, tool_calls, input_type }) => {
    const isResponse = input_type === 'response';
    const found = textsOf(texts, isResponse ? 'assistant' : 'user');
    const before = [...texts];
    textsOf({ tools }, 'system', found);
    textsOf({ tool_calls }, 'assistant', found);
    for (const url of images ?? []) found.media.push({ type: 'image_url', image_url: { url } });
    const { decision, reason } = await guard(found, isResponse ? 'output' : 'input');
    if (decision === 'block') return { action: 'BLOCKED', blocked_reason: reason };
    return texts.every((text, index) => text === before[index])
      ? { action: 'NONE' }
      : { action: 'GUARDRAIL_INTERVENED', texts };
  },

  '/portkey': async ({ eventType, request, response }) => {
    const isResponse = eventType === 'afterRequestHook';
    const json = isResponse ? response?.json : request?.json;
    const found = textsOf(json, isResponse ? 'assistant' : 'user');
    const { decision, reason } = await guard(found, isResponse ? 'output' : 'input');
    if (decision !== 'redact') return { verdict: decision === 'allow', reason };
    return { verdict: true, transformedData: isResponse ? { response: { json } } : { request: { json } } };
  },
};

const server = createServer(async (request, response) => {
  const adapter = adapters[request.url];
  if (request.method !== 'POST' || adapter === undefined) return response.writeHead(404).end();
  try {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const result = JSON.stringify(await adapter(body));
    response.writeHead(200, { 'content-type': 'application/json' }).end(result);
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`guard adapter at http://127.0.0.1:${server.address().port}`);
});
