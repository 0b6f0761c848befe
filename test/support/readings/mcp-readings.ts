import { createMcpGuard, guardLines } from '../../../shared/providers/index.ts';
import { createRandom } from '../random.ts';
import type { Readings } from './compare-readings.ts';
import { digest } from './digest.ts';

const MCP = [
  { method: 'initialize', params: { capabilities: {}, clientInfo: { name: 'client', version: '1' } } },
  {
    method: 'tools/call',
    params: { name: 'send', arguments: { to: 'anna', text: 'secret words' }, _meta: { progressToken: 1 } },
  },
  { method: 'tools/call', params: { name: 'bad', arguments: { a: 1 } } },
  { method: 'tools/call', params: { name: 17 } },
  { method: 'tools/call', params: { name: 'send', arguments: 'text' } },
  { method: 'tools/call' },
  { method: 'tools/list', params: { cursor: 'c' } },
  { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
  { method: 'x/unknown', params: { note: 'deny this' } },
  { method: 17 },
  { result: { content: [{ type: 'text', text: 'deny this' }] } },
  { result: { content: [{ type: 'text', text: 'mask this' }], isError: false } },
  { result: {} },
  { error: { code: -1, message: 'mask this' } },
  { result: { tools: [{ name: 'send', description: 'deny this' }] } },
  {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'mask this' } }] },
  },
];

/** Messages between an assistant and a server. */
export async function readMcp(): Promise<Readings> {
  const readings = [];
  for (let at = 0; at < 60; at++) {
    const random = createRandom(at * 7_919 + 59);
    const seen: unknown[] = [];
    const lines = guardLines(
      createMcpGuard({
        evaluateCall: async (tool, input) => {
          seen.push([tool, input]);
          return tool === 'bad' ? 'Not this one.' : null;
        },
        evaluateContent: async (content) => {
          seen.push(content);
          if (content.texts.some((text) => text.includes('deny'))) return { reason: 'It says deny.' };
          return {
            reason: null,
            ...(random.chance(0.8) && {
              texts: content.texts.map((text) => text.replace('mask', '[EMAIL]')),
            }),
          };
        },
      }),
    );
    const id = () => random.pick<unknown>([1, 1, 2, 'a', null, undefined, 'deny this']);
    const message = () => {
      const own = id();
      return { jsonrpc: '2.0', ...(own !== undefined && { id: own }), ...random.pick(MCP) };
    };
    const outcomes: unknown[] = [];
    const sent: string[] = [];
    for (let turn = 0; turn < 7; turn++) {
      const line = random.pick([
        () => JSON.stringify(message()),
        () => JSON.stringify(message()),
        () => JSON.stringify([message(), message(), random.pick<unknown>([17, message()])]),
        () => random.pick(['', '{', '17', '{"a":1,"a":2}', '[]']),
      ])();
      sent.push(line);
      outcomes.push(await (turn % 2 === 0 ? lines.fromClient(line) : lines.fromServer(line)));
    }
    const results = [seen, outcomes];
    readings.push({
      name: `mcp ${at}`,
      text: sent.join('\n'),
      reading: digest(results),
      details: () => JSON.stringify(results, null, 1),
    });
  }
  return readings;
}
