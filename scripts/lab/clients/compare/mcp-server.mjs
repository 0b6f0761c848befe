/** An MCP server over standard input and output with one tool, which answers its argument. Plain, so that any Node of an agent runs it. */
import { createInterface } from 'node:readline';

const [, , note] = process.argv;
const tool = {
  name: 'lookup_note',
  description: 'Looks a text up in the notes of the team.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};
/** @type {Record<string, (params: Record<string, unknown>) => object>} */
const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({ content: [{ type: 'text', text: note }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = RESULTS[method]?.(params);
  const error = { code: -32601, message: 'Method not found' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }));
});
