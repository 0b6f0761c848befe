import assert from 'node:assert/strict';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import type { Subscription } from '../../apps/cloud/src/storage/storage.ts';
import { createManualClock, type ManualClock } from '../support/clock.ts';
import {
  type CallOptions,
  startGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';

export type Json = Readonly<Record<string, unknown>>;
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly error: Json;
}

/** One way to provoke an error, and the expected response. */
export interface Row {
  readonly provoke: (testEnv: TestEnv) => Promise<Answer>;
  /** Exactly the fields besides message, type and code. */
  readonly fields?: readonly string[];
  readonly status?: number;
  readonly type?: string;
  readonly hold?: (answer: Answer, testEnv: TestEnv) => void;
}

/** How a row of the table is provoked, or which missing part of the service it belongs to. */
export type Rows = readonly Row[] | string;

/** A provider, a gateway with one account, and more of both on demand. */
export interface TestEnv {
  readonly gateway: TestGateway;
  readonly testProvider: TestProvider;
  readonly clock: ManualClock;
  ask(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A key of an account of its own, with this plan. */
  account(contract: Partial<Omit<Subscription, 'accountId'>>): Promise<string>;
  /** A gateway of its own, with other settings. */
  other(options: Pick<TestGatewayOptions, 'env' | 'engine'>): Promise<TestGateway>;
  close(): Promise<void>;
}

export const scan = { content: 'hello' };
export const chat = (content = 'hello') => ({ model: 'gpt-test', messages: [{ role: 'user', content }] });
export const CHAT = '/api/v1/chat/completions';
export const SCAN = '/api/v1/security/scan';

export async function startErrorTestEnv(): Promise<TestEnv> {
  const clock = createManualClock();
  const others: TestGateway[] = [];
  const testProvider = await startTestProvider();
  const gateway = await startGateway({ providerUrl: testProvider.url, clock });
  return {
    gateway,
    testProvider,
    clock,
    ask: async (...call) => read(await gateway.call(...call)),
    async account(contract) {
      const { storage } = gateway;
      const email = `${makeKey().slice(-12)}@example.com`;
      const owner = await storage.users.insert({ email, emailVerifiedAtMs: 1 });
      await storage.subscriptions.set(owner.id, contract);
      const organization = await storage.organizations.insert({
        kind: 'team',
        name: 'Team',
        ownerId: owner.id,
      });
      await storage.members.add(organization.id, owner.id, 'owner');
      const project = await storage.projects.insert(organization.id, { name: 'Project' });
      const key = makeKey();
      await storage.keys.insert({
        organizationId: organization.id,
        projectId: project.id,
        userId: owner.id,
        deviceId: null,
        name: 'x',
        permissions: [],
        expiresAtMs: null,
        key,
      });
      return key;
    },
    async other(options) {
      const other = await startGateway({ providerUrl: testProvider.url, clock, ...options });
      others.push(other);
      return other;
    },
    async close() {
      for (const one of [gateway, ...others]) await one.close();
      await testProvider.close();
    },
  };
}

/** Returns the error of a body that contains nothing else. */
export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = JSON.parse(text) as { error?: Json };
  assert.ok(body.error !== undefined, `${response.status} ${text.slice(0, 300)}`);
  assert.deepEqual(Object.keys(body), ['error']);
  return { status: response.status, headers: response.headers, error: body.error };
}
