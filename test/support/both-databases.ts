import { describe } from 'node:test';
import { noPostgres } from './databases.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';

export type StartGateway = (options?: TestGatewayOptions) => Promise<TestGateway>;

export type Database = 'SQLite' | 'PostgreSQL';

/** Runs a suite twice: its gateways use SQLite first, then PostgreSQL. */
export function onBothDatabases(
  suite: string,
  define: (start: StartGateway, database: Database) => void,
): void {
  describe(`${suite}, SQLite`, () => define(startGateway, 'SQLite'));
  describe(`${suite}, PostgreSQL`, { skip: noPostgres }, () =>
    define((options) => startGateway({ ...options, isOnPostgres: true }), 'PostgreSQL'),
  );
}
