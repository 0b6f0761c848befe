import http from 'node:http';
import type { Plugin } from 'rolldown';

const MODULE = '\0http';
const LEFT_OUT = new Set(['WebSocket', 'CloseEvent', 'MessageEvent']);

/**
 * As an ES module `node:http` evaluates all of its exports, among them the WebSocket client, whose loading takes 20 ms:
 * programs import the others, without that.
 */
export function lightHttp(): Plugin {
  return {
    name: 'light-http',
    resolveId: {
      filter: { id: /^(?:node:)?http$/ },
      handler: (_id, _importer, { kind }) => (kind === 'require-call' ? null : MODULE),
    },
    load: {
      filter: { id: /^\0http$/ },
      handler() {
        const names = Object.keys(http).filter((name) => !LEFT_OUT.has(name));
        return `const http = process.getBuiltinModule('node:http');
          export default http;
          export const { ${names.join(', ')} } = http;`;
      },
    },
  };
}
