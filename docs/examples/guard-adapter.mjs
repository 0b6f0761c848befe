// The guard for other gateways: LiteLLM's generic guardrail API and Portkey's webhook guardrail.
// SERVICE_KEY=svc_live_… node guard-adapter.mjs; with --fail-open texts pass while the gateway does not respond.
import { createServer } from 'node:http';

const { GATEWAY_URL = 'http://127.0.0.1:8787', SERVICE_KEY = '', PORT = '9100' } = process.env;
const failOpen = process.argv.includes('--fail-open');

/** Every text of a value with its role, and a way to replace it; images are read apart from texts. */
function textsOf(value, role, found = { texts: [], media: [] }) {
  for (const [name, member] of Object.entries(value ?? {})) {
    if (member?.type === 'image_url' || member?.type === 'image' || member?.type === 'input_image') {
      found.media.push(member);
    } else if (typeof member === 'string') {
      const replace = (text) => {
        value[name] = text;
      };
      found.texts.push({ role, content: member, replace });
    } else if (typeof member === 'object') {
      const isResult = member?.type === 'tool_result' || member?.type === 'function_call_output';
      textsOf(member, isResult ? 'tool' : (member?.role ?? role), found);
    }
  }
  return found;
}

/** Replaces what has to be redacted in place. */
async function guard({ texts, media }, direction) {
  if (texts.length + media.length === 0) return { decision: 'allow' };
  // A message without words stands for the images beside it.
  const messages = texts.length === 0 ? [{ role: 'user', content: '' }] : texts;
  try {
    const response = await fetch(`${GATEWAY_URL}/api/v1/guard`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': SERVICE_KEY },
      body: JSON.stringify({
        messages: messages.map(({ role, content }) => ({ role, content })),
        direction,
        media,
      }),
    });
    if (!response.ok) throw new Error(`the gateway responded with ${response.status}`);
    const { decision, threats, redacted_messages } = await response.json();
    if (decision === 'redact') {
      for (const [index, { replace }] of texts.entries()) replace(redacted_messages[index].content);
    }
    const types = [...new Set(threats.map(({ type }) => type))].join(', ');
    return { decision, reason: `Blocked by the content security policy (${types}).` };
  } catch (error) {
    console.error(error.message);
    return {
      decision: failOpen ? 'allow' : 'block',
      reason: 'The content security gateway did not respond.',
    };
  }
}

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
