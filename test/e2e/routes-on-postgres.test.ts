/**
 * The tests of the routes once more, with PostgreSQL under the gateway: see startGateway. A sixth of the files; all in
 * the nightly run. The storage tests run the queries of routes on both engines.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe } from 'node:test';
import { noPostgres } from '../support/databases.ts';
import { partOf } from '../support/part.ts';

const ROUTES = new URL('../cloud/routes/', import.meta.url);

if (noPostgres) describe('the routes on PostgreSQL', { skip: noPostgres }, () => {});
else {
  process.env['CSG_TEST_ENGINE'] = 'postgres';
  const files = readdirSync(ROUTES, { recursive: true })
    .map(String)
    .sort()
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => new URL(file, ROUTES))
    .filter((address) => {
      const source = readFileSync(address, 'utf8');
      // Some choose their engines themselves.
      return source.includes('startGateway(') && !source.includes('createTestDatabase');
    });
  for (const { href } of partOf('routes on PostgreSQL', files, Math.ceil(files.length / 6)))
    await import(href);
}
