/** The tests of the routes once more, with PostgreSQL under the gateway: see startGateway. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe } from 'node:test';
import { noPostgres } from '../support/databases.ts';

const ROUTES = new URL('../cloud/routes/', import.meta.url);

if (noPostgres) describe('the routes on PostgreSQL', { skip: noPostgres }, () => {});
else {
  process.env['CSG_TEST_ENGINE'] = 'postgres';
  for (const file of readdirSync(ROUTES).sort()) {
    if (!file.endsWith('.test.ts')) continue;
    const address = new URL(file, ROUTES);
    const source = readFileSync(address, 'utf8');
    // Some choose their engines themselves.
    if (source.includes('startGateway(') && !source.includes('createTestDatabase'))
      await import(address.href);
  }
}
