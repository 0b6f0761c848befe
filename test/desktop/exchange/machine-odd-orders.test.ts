/** Screenplays of events at an awkward moment: too early, too late, or after the end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeStep } from '../../../apps/desktop/src/exchange/machine.ts';
import {
  EVENTS_TYPE,
  eventOf,
  failed,
  gone,
  JSON_TYPE,
  pieceVerdict,
  request,
  requestBytes,
  requestEnd,
  requestVerdict,
  response,
  responseBytes,
  responseEnd,
  responseVerdict,
  runScenario,
  type Scenario,
  upstreamError,
} from '../../support/desktop/scenario.ts';

const BEGUN: readonly Scenario[] = [
  [request(), 'read-request'],
  [requestEnd(), 'evaluate-request whole'],
];
const SENT: readonly Scenario[] = [...BEGUN, [requestVerdict('forward'), 'open /v1/chat', 'send-end']];
const WATCHED: readonly Scenario[] = [
  ...SENT,
  [response(200, EVENTS_TYPE), 'watch-response events', 'respond 200 flushed'],
];

const SCREENPLAYS: Readonly<Record<string, readonly Scenario[]>> = {
  'a client that leaves during evaluation: an allowed prompt is not sent': [
    ...BEGUN,
    [gone],
    [requestVerdict('forward', { event: eventOf('evt_in', 'forwarded') })],
  ],
  'a client that leaves during evaluation: a block is recorded': [
    ...BEGUN,
    [gone],
    [requestVerdict('block'), 'count blocked', 'record evt_in blocked'],
  ],
  'a client that leaves in the middle of its body': [
    [request(), 'read-request'],
    [requestBytes('half')],
    [gone],
    [requestEnd()],
  ],
  'when a client leaves, the request to the provider ends': [...SENT, [gone, 'abort'], [response()]],
  'a client that leaves in the middle of the response': [
    ...WATCHED,
    [responseBytes('a'), 'evaluate-piece a'],
    [gone, 'abort'],
    [pieceVerdict('a', 'forward')],
    [responseBytes('b')],
    [responseEnd()],
  ],
  'a client that leaves after the response, while its request is still on the way': [
    [request({ treatment: 'pass' }), 'open /v1/chat', 'read-request'],
    [response(), 'respond 200 flushed'],
    [responseEnd(), 'respond-end'],
    [gone, 'abort'],
    [requestBytes('late')],
  ],
  'a client that leaves after everything changes nothing': [
    ...SENT,
    [response(500), 'respond 500 flushed'],
    [responseEnd(), 'respond-end'],
    [gone],
  ],
  'an internal error at the very end of a response': [
    ...SENT,
    [response(500), 'respond 500 flushed'],
    [responseEnd('bad name', '1'), 'respond-end bad name: 1'],
    [failed, 'abort', 'break', 'drop-request'],
  ],
  'a response that arrives before the request is complete: both continue': [
    [request({ treatment: 'pass' }), 'open /v1/chat', 'read-request'],
    [requestBytes('a'), 'send a'],
    [response(), 'respond 200 flushed'],
    [responseBytes('early'), 'respond-bytes early'],
    [requestBytes('b'), 'send b'],
    [responseEnd(), 'respond-end'],
    [requestBytes('c'), 'send c'],
    [requestEnd(), 'send-end'],
  ],
  'a provider that closes after its whole response, before it received the request': [
    [request({ treatment: 'pass' }), 'open /v1/chat', 'read-request'],
    [response(), 'respond 200 flushed'],
    [responseEnd(), 'respond-end'],
    [upstreamError(), 'drop-request'],
    [requestBytes('late')],
  ],
  'a provider that is not there is a 502': [...SENT, [upstreamError(), 'reply 502', 'drop-request']],
  'a request that the provider did not read is retried once': [
    [request(), 'read-request'],
    [requestBytes('{}')],
    [requestEnd('x-sum', '1'), 'evaluate-request whole {}'],
    [requestVerdict('forward'), 'open /v1/chat', 'send {}', 'send-end x-sum: 1'],
    [upstreamError(true), 'open /v1/chat', 'send {}', 'send-end x-sum: 1'],
    [upstreamError(true), 'reply 502', 'drop-request'],
  ],
  'a retry is masked, too': [
    [request(), 'read-request'],
    [requestBytes('secret')],
    [requestEnd(), 'evaluate-request whole secret'],
    [
      requestVerdict('rewrite', { body: '[KEY]' }),
      'count redacted',
      'record evt_in redacted',
      'open /v1/chat 5',
      'send [KEY]',
      'send-end',
    ],
    [upstreamError(true), 'open /v1/chat 5', 'send [KEY]', 'send-end'],
  ],
  'a body that was streamed is not stored, so there is no retry': [
    [request({ treatment: 'pass' }), 'open /v1/chat', 'read-request'],
    [requestEnd(), 'send-end'],
    [upstreamError(true), 'reply 502', 'drop-request'],
  ],
  'a client that has left is not asked for again': [...SENT, [gone, 'abort'], [upstreamError(true)]],
  'a provider that breaks off within a response that passes': [
    ...WATCHED,
    [responseBytes('a'), 'evaluate-piece a'],
    [upstreamError(), 'break', 'drop-request'],
    [pieceVerdict('a', 'forward')],
  ],
  'a provider that breaks off within a response that is collected': [
    ...SENT,
    [response(200, JSON_TYPE)],
    [responseBytes('{')],
    [upstreamError(true), 'break', 'drop-request'],
  ],
  'a provider that breaks off while its response is evaluated': [
    ...SENT,
    [
      response(200, { 'content-type': 'image/png' }),
      'hold-response',
      'evaluate-response The response is not text.',
    ],
    [upstreamError(), 'break', 'drop-request'],
    [responseVerdict('forward')],
  ],
  'a response that ends while it is evaluated passes completely': [
    ...SENT,
    [
      response(200, { 'content-type': 'image/png' }),
      'hold-response',
      'evaluate-response The response is not text.',
    ],
    [responseBytes('png')],
    [responseEnd('x-end', '1')],
    [responseVerdict('forward'), 'respond 200', 'respond-bytes png', 'respond-end x-end: 1'],
  ],
  'waiting pieces pass in order, and the end after the last': [
    ...WATCHED,
    [responseBytes('a'), 'evaluate-piece a'],
    [responseBytes('b'), 'evaluate-piece b'],
    [responseEnd()],
    [pieceVerdict('a', 'forward'), 'respond-bytes a'],
    [pieceVerdict('b', 'forward'), 'respond-bytes b', 'respond-end'],
  ],
  'pieces after a blocked one do not pass': [
    ...WATCHED,
    [responseBytes('a'), 'evaluate-piece a'],
    [responseBytes('b'), 'evaluate-piece b'],
    [pieceVerdict('a', 'block'), 'count blocked', 'record evt_out blocked', 'abort', 'break', 'drop-request'],
    [pieceVerdict('b', 'forward')],
    [responseBytes('c')],
  ],
  'the rest of a body after a block is dropped': [
    [request({ treatment: 'hold' }), 'evaluate-request opaque'],
    [requestVerdict('block'), 'count blocked', 'record evt_in blocked', 'reply 403', 'drop-request'],
    [requestBytes('more')],
    [requestEnd()],
    [requestVerdict('forward')],
  ],
  'a body that is complete before its verdict': [
    [request({ treatment: 'hold' }), 'evaluate-request opaque'],
    [requestBytes('png')],
    [requestEnd('x-sum', '1')],
    [requestVerdict('forward'), 'open /v1/chat', 'send png', 'send-end x-sum: 1'],
  ],
  'an internal error before the verdict: nothing is sent, and the client gets an error': [
    ...BEGUN,
    [failed, 'reply 502', 'drop-request'],
    [requestVerdict('forward')],
  ],
  'an error of ours after the request was sent': [...SENT, [failed, 'abort', 'reply 502', 'drop-request']],
  'an error of ours in the middle of a response': [...WATCHED, [failed, 'abort', 'break', 'drop-request']],
  'a request for another host than the connection leads to': [
    [request({ treatment: 'misdirected' }), 'reply 421', 'drop-request'],
    [requestBytes('x')],
  ],
  'for an image request without a body, only the path is evaluated': [
    [request({ treatment: 'hold', hasBody: false }), 'evaluate-request none'],
  ],
  'a second response, and a second request': [
    ...SENT,
    [response(500), 'respond 500 flushed'],
    [response(200, JSON_TYPE)],
    [request()],
  ],
};

for (const [title, scenes] of Object.entries(SCREENPLAYS)) test(title, () => void runScenario(scenes));

test('the reply to an error names what went wrong, and where', () => {
  const state = runScenario(SENT);
  const [reply] = exchangeStep(state, upstreamError()).actions;
  assert.ok(reply?.type === 'reply');
  assert.deepEqual(JSON.parse(reply.reply.body), {
    error: {
      type: 'proxy_error',
      code: '502',
      message: 'api.openai.com could not be reached (ECONNRESET).',
    },
  });
});
