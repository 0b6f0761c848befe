import { describe } from 'node:test';
import { createTestDatabase, noPostgres } from './databases.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';

export type StartGateway = (options?: TestGatewayOptions) => Promise<TestGateway>;

/** Runs a suite twice: its gateways use SQLite first, then a PostgreSQL database of their own. */
export function onBothDatabases(suite: string, define: (start: StartGateway) => void): void {
  describe(`${suite}, SQLite`, () => define(startGateway));
  describe(`${suite}, PostgreSQL`, { skip: noPostgres }, () => define(startOnPostgres));
}

async function startOnPostgres(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const database = await createTestDatabase();
  const env = { ...options.env, DATABASE_URL: database.databaseUrl };
  const gateway = await startGateway({ ...options, env });
  return {
    ...gateway,
    async close() {
      await gateway.close();
      await database.drop();
    },
  };
}
