/**
 * The tests of all routes once more, with PostgreSQL under the gateway: see startGateway. A tenth of the files; all in
 * the nightly run. The storage tests run the queries of routes on both engines.
 */
import { globSync } from 'node:fs';
import { describe } from 'node:test';
import { loadTestFiles } from '../../scripts/testing/load-test-files.ts';
import { noPostgres } from '../support/databases.ts';
import { partOf } from '../support/part.ts';

const files = globSync('test/cloud/routes/**/*.test.ts').sort();

if (noPostgres) describe('the routes on PostgreSQL', { skip: noPostgres }, () => {});
else {
  process.env['CSG_TEST_ENGINE'] = 'postgres';
  await loadTestFiles(partOf('routes on PostgreSQL', files, Math.ceil(files.length / 10)));
}
