import {
  AI_HOSTS,
  CREDENTIAL_HEADERS,
  endpointByName,
  findEndpoint,
  formatOf,
  isStreamed,
  oneErrorFrame,
  ownerOfCredential,
} from '../../../shared/providers/index.ts';
import { API_ENDPOINTS, PROVIDERS } from '../../../shared/providers/registry.ts';
import { createRandom } from '../random.ts';
import type { Readings } from './compare-readings.ts';
import { digest, tried } from './digest.ts';

/** The endpoint of an address, and the format of its rejections. */
export function* readAddresses(): Readings {
  const hosts = [
    undefined,
    ...AI_HOSTS,
    ...PROVIDERS.flatMap((one) => one.hosts.map((host) => host.replace('*', 'some'))),
  ];
  const paths = PROVIDERS.flatMap(({ endpoints }) =>
    endpoints.map(({ path }) => path.replace(/\{(\w+)\}/g, 'some-$1')),
  );
  for (let at = 0; at < 300; at++) {
    const random = createRandom(at * 7_919 + 37);
    const provider = random.pick(PROVIDERS);
    const host = random.chance(0.6) ? random.pick(provider.hosts)?.replace('*', 'some') : random.pick(hosts);
    const path = random.pick([
      () => random.pick(['', '/v1', '/proxy', '/api', '/proxy/api/v1', '/x']) + random.pick(paths),
      () => random.pick(provider.endpoints).path.replace(/\{(\w+)\}/g, 'some-$1'),
      () =>
        random.pick([
          '/backend-api/conversation',
          '/backend-api/f/conversation/x',
          '/api/organizations/a/chat_conversations/b/completion',
          '/x/StreamGenerate',
          '/c/api/chat',
          '/rest/thread/a',
          '/api/chat',
        ]),
    ])();
    const address = {
      method: random.pick(['POST', 'post', 'GET', 'DELETE']),
      ...(random.chance(0.8) &&
        host !== undefined && { host: random.pick([host, host.toUpperCase(), `${host}:443`, `${host}.`]) }),
      path: path + random.pick(['', '/', '?a=b', '#x', '/more']),
    };
    yield {
      name: `endpoint ${at}`,
      text: JSON.stringify(address),
      reading: findEndpoint(address)?.name ?? '',
    };
  }
  const block = {
    message: 'Stopped: "injection" — ünïcode',
    eventId: 'evt_17',
    dashboardUrl: 'https://x.example/e',
    fields: { extra: 1 },
  };
  const sent = [
    '',
    'event: message_start\ndata: {"type":"message_start"}\n\n',
    'data: {"type": "response.created"}\n\n',
    'data: {"type":"content_block_start","index":0}\n\n',
    'data: {"choices":[{"index":0,"delta":{"role":"assistant"}}]}\n\n',
    'x "type":"message_start" y\n',
  ];
  for (const endpoint of [
    ...API_ENDPOINTS,
    ...PROVIDERS.filter(({ name }) => name.endsWith('-web')).flatMap(({ endpoints }) => endpoints),
  ]) {
    const format = formatOf(endpoint);
    const results = [
      format.rejectionOf(block),
      format.rejectionOf({ message: 'm', eventId: 'e' }),
      ...sent.map((before) => format.streamBlockOf(block, before)),
      format.streamErrorOf({ status: 502, error: { message: 'away' } }),
      format.streamErrorOf({ status: 429, error: { message: 'later' } }),
      oneErrorFrame(block, { more: 1 }),
      [true, false].map((stream) =>
        ['alt=sse', 'alt=json', undefined, ''].map((query) => isStreamed(endpoint, { stream }, query)),
      ),
      ...[format.name, format.streamType, format.isPage],
    ];
    yield {
      name: `refusal of ${endpoint.name}`,
      text: '',
      reading: digest(results),
      details: () => JSON.stringify(results, null, 1),
    };
  }
  const keys = [
    'sk-x',
    'sk-ant-x',
    'AIzax',
    'AKIAx',
    'gsk_x',
    'xai-x',
    'pplx-x',
    'sk-or-v1',
    'ABSK',
    'hf_',
    'none',
    '',
  ].map((key) => ownerOfCredential(key)?.name ?? '-');
  yield { name: 'credentials', text: '', reading: [...keys, ...CREDENTIAL_HEADERS].join(' ') };
  const unknown = tried(() => endpointByName('none'));
  yield { name: 'no endpoint', text: '', reading: String(unknown) };
}
