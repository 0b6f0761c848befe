// The guard for Envoy: an external processor (ext_proc) over gRPC. Needs @grpc/grpc-js and @grpc/proto-loader.
// SERVICE_KEY=svc_live_… node guard-envoy.mjs; with --fail-open texts pass while the gateway does not respond.
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { guard, textsOf } from './guard-client.mjs';

const { HOST = '127.0.0.1', PORT = '9200' } = process.env;
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const PROTO = fileURLToPath(new URL('ext-proc.proto', import.meta.url));
const { ExternalProcessor } = grpc.loadPackageDefinition(
  loadSync(PROTO, { keepCase: true, enums: String, oneofs: true }),
).envoy.service.ext_proc.v3;

/** One HTTP request and its response: what Envoy sends, in order, and one reply to each. */
function processExchange(call) {
  const parts = { request: newPart('request'), response: newPart('response') };
  let isDone = false;
  let last = Promise.resolve();
  const fail = (error) => {
    isDone = true;
    // A clean end would tell Envoy to go on without the guard.
    call.emit('error', { code: grpc.status.INTERNAL, details: error.message });
  };
  call.on('data', (message) => {
    last = last.then(async () => {
      if (isDone) return;
      const reply = await replyTo(parts, message);
      isDone = reply.immediate_response !== undefined;
      call.write(reply);
    });
    last = last.catch(fail);
  });
  call.on('end', () => last.then(() => call.end()));
}

function newPart(name) {
  return { name, mode: 'BUFFERED', headers: {}, chunks: [] };
}

async function replyTo(parts, message) {
  if (message.protocol_config) {
    parts.request.mode = message.protocol_config.request_body_mode;
    parts.response.mode = message.protocol_config.response_body_mode;
  }
  const kind = message.request;
  const part = kind.startsWith('request') ? parts.request : parts.response;
  if (kind.endsWith('_headers')) return { [kind]: { response: replyToHeaders(part, message[kind]) } };
  if (kind.endsWith('_trailers')) return { [kind]: {} };
  const { body, end_of_stream: isLast } = message[kind];
  part.chunks.push(body);
  // Held until the whole is evaluated.
  if (part.mode === 'STREAMED' && !isLast)
    return { [kind]: { response: { body_mutation: { clear_body: true } } } };
  return replyToBody(part, kind, Buffer.concat(part.chunks));
}

function replyToHeaders(part, { headers, end_of_stream: hasNoBody }) {
  if (!hasNoBody && part.mode !== 'BUFFERED' && part.mode !== 'STREAMED')
    throw new Error(
      `The ${part.name}_body_mode ${part.mode} would let texts pass unread: use BUFFERED or STREAMED.`,
    );
  for (const { key, value, raw_value } of headers?.headers ?? [])
    part.headers[key] = raw_value?.length > 0 ? Buffer.from(raw_value).toString() : value;
  // What is compressed cannot be read, and a body may change its length.
  const removed = part.name === 'request' ? ['accept-encoding'] : [];
  if (part.mode === 'STREAMED') removed.push('content-length');
  return { header_mutation: { remove_headers: removed } };
}

async function replyToBody(part, kind, body) {
  const isResponse = part.name === 'response';
  const block = (status, message) => blocked(part, kind, status, message);
  if (body.length === 0) return { [kind]: {} };
  const read = readBody(part.headers, body);
  if (read === null)
    return block(isResponse ? 502 : 415, `The ${part.name} is neither JSON nor an event stream.`);
  const found = textsOf(read.value, isResponse ? 'assistant' : 'user');
  const { decision, reason } = await guard(found, isResponse ? 'output' : 'input');
  if (decision === 'block' || (decision === 'redact' && !read.isWritable)) return block(403, reason);
  if (decision !== 'redact' && part.mode !== 'STREAMED') return { [kind]: {} };
  const sent = decision === 'redact' ? Buffer.from(JSON.stringify(read.value)) : body;
  return { [kind]: { response: { body_mutation: { body: sent } } } };
}

/** Null if it cannot be read. Texts of an event stream are joined over its frames, and cannot be written back. */
function readBody(headers, body) {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if ((headers['content-type'] ?? '').startsWith('text/event-stream'))
      return { value: joinedTexts(text), isWritable: false };
    return { value: { body: JSON.parse(text) }.body, isWritable: true };
  } catch {
    return null;
  }
}

/** The texts of all frames by where they stand; what is the same in every frame is there once. */
function joinedTexts(stream) {
  const byPlace = new Map();
  const add = (place, value) => {
    if (typeof value === 'string') byPlace.set(place, [...(byPlace.get(place) ?? []), value]);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value))
        add(`${place}/${Array.isArray(value) ? (member?.index ?? name) : name}`, member);
  };
  for (const [, data] of stream.matchAll(/^data: ?(.*)$/gm)) {
    if (data === '[DONE]') continue;
    const frame = JSON.parse(data);
    add(String(frame.index ?? ''), frame);
  }
  return [...byPlace.values()].map((texts) => (new Set(texts).size === 1 ? texts[0] : texts.join('')));
}

function blocked(part, kind, status, message) {
  const code = part.name === 'response' ? 'response_blocked' : 'request_blocked';
  const body = JSON.stringify({ error: { message, type: 'content_filter', code } });
  const isStream = (part.headers['content-type'] ?? '').startsWith('text/event-stream');
  // The head of a streamed response has left.
  if (part.name === 'response' && part.mode === 'STREAMED') {
    const sent = isStream ? `event: error\ndata: ${body}\n\n` : body;
    return { [kind]: { response: { body_mutation: { body: Buffer.from(sent) } } } };
  }
  const type = {
    header: { key: 'content-type', raw_value: Buffer.from('application/json') },
    append_action: 2,
  };
  return {
    immediate_response: {
      status: { code: status },
      headers: { set_headers: [type] },
      body: Buffer.from(body),
    },
  };
}

const server = new grpc.Server({
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
});
server.addService(ExternalProcessor.service, { Process: processExchange });
server.bindAsync(`${HOST}:${PORT}`, grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  console.log(`guard for Envoy at ${HOST}:${port}`);
});
