import { startGateway, type TestGateway } from '../../test/support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../test/support/test-provider.ts';

/** Runs work with a gateway without limits before a test provider, and closes both. */
export async function withReplayGateway(
  work: (parts: { readonly gateway: TestGateway; readonly testProvider: TestProvider }) => Promise<void>,
): Promise<void> {
  const testProvider = await startTestProvider();
  const gateway = await startGateway({ providerUrl: testProvider.url });
  try {
    const { storage, account } = gateway;
    await storage.subscriptions.set(account.accountId, { perMinute: 1_000_000, monthly: 1_000_000 });
    await work({ gateway, testProvider });
  } finally {
    await gateway.close();
    await testProvider.close();
  }
}
