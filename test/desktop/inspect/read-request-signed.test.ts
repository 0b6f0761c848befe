/** The device writes requests of each provider's own addresses: a text that a provider signed is never changed. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRequest } from '../../../apps/desktop/src/inspect/read-request.ts';
import type { Endpoint, Provider } from '../../../shared/providers/provider.ts';
import { isWebApp, PROVIDERS } from '../../../shared/providers/registry.ts';
import type { FormatTable } from '../../../shared/providers/tables.ts';
import { cases, seedFor } from '../../support/part.ts';
import { createRandom } from '../../support/random.ts';
import { MAIL, SPEAKING_TABLES, signedRequest, signsOf } from '../../support/signed-blocks.ts';

interface Address {
  readonly host: string;
  readonly path: string;
  readonly table: FormatTable;
}

const addressesOf = ({ hosts, endpoints }: Provider): Address[] =>
  endpoints.flatMap(({ method, path, versions, isBodiless, format }: Endpoint) => {
    const isRead = method === 'POST' && isBodiless !== true && hosts[0] !== undefined && !isWebApp(format);
    if (!isRead || !SPEAKING_TABLES.includes(format)) return [];
    const filled = path.replace('{version}', versions?.[0] ?? 'v1').replaceAll(/\{\w+\}/g, 'm');
    return [{ host: hosts[0]!.replace('*', 'eu'), path: filled, table: format }];
  });
const ADDRESSES = PROVIDERS.flatMap(addressesOf);

describe('signed blocks at the addresses of providers', () => {
  test('every format in which a model speaks has one', () => {
    assert.deepEqual(new Set(ADDRESSES.map(({ table }) => table)), new Set(SPEAKING_TABLES));
  });

  for (const { host, path, table } of ADDRESSES) {
    test(`POST ${host}${path}: no text that a signature covers is ever written`, () => {
      for (const sign of signsOf(table)) {
        const random = createRandom(seedFor(`${host}${path} ${sign.type} ${sign.name}`));
        for (let i = 0; i < cases(2, 50); i++) {
          const { block, body } = signedRequest(table, sign, random);
          const bytes = new TextEncoder().encode(JSON.stringify(body));
          const read = readRequest({ method: 'POST', host, path, body: { kind: 'json', bytes } });
          const all = read.slots.map(({ text }, at) => {
            const whole = { start: 0, end: text.length, text: '[MASKED]' };
            return [at, [whole]] as const;
          });
          const written = String(read.write(new Map(all)).body);
          assert.ok(written.includes(JSON.stringify(block)), `${JSON.stringify(block)}\n${written}`);
          assert.ok(!written.replace(JSON.stringify(block), '').includes(MAIL), written);
          assert.equal(read.signed.length, 1);
        }
      }
    });
  }
});
