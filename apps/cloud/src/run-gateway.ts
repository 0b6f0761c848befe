import cluster from 'node:cluster';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config/parse-config.ts';
import { drainOnSignal } from './drain-on-signal.ts';
import { offerSetUp } from './flows/accounts/set-up-owner.ts';
import { setUpService } from './flows/set-up-service.ts';
import { SYSTEM_CLOCK } from './gateway/configured-parts.ts';
import { openGateway } from './gateway/open-gateway.ts';
import { makeKey } from './storage/key-format.ts';
import { welcomeText } from './welcome-text.ts';

const WARM_UP_AFTER_MS = 1_000;

/** Runs the gateway in this process until a signal. Prints the URL and, on first start, the first key. */
export async function runGateway(config: Config, log: FastifyBaseLogger): Promise<void> {
  const gateway = await openGateway(config, log);
  const { storage } = gateway;
  let warmUp: NodeJS.Timeout | undefined;
  /** Later, so that the threads for long texts do not compete with the first answers for a processor. */
  const warmUpSoon = () => {
    warmUp = setTimeout(() => void gateway.warmUp(), WARM_UP_AFTER_MS);
  };
  drainOnSignal(log, () => {
    clearTimeout(warmUp);
    return gateway.close();
  });
  try {
    const account = await setUpService({ storage, clock: SYSTEM_CLOCK, makeKey }, 'First key');
    // Only the first of several workers prints it; replacements for crashed workers print nothing.
    if (cluster.isWorker && cluster.worker?.id !== 1) {
      await gateway.listen();
      warmUpSoon();
      return;
    }
    const setUpToken = await offerSetUp({ storage, clock: SYSTEM_CLOCK }, account);
    const address = await gateway.listen();
    const base = config.publicUrl ?? address;
    process.stdout.write(
      welcomeText({
        address,
        firstKey: account.firstKey?.plain ?? null,
        dashboard: `${base}/dashboard/`,
        setUp: setUpToken === null ? null : `${base}/dashboard/set-up?token=${setUpToken}`,
        color: process.stdout.isTTY === true,
      }),
    );
    warmUpSoon();
  } catch (error) {
    await gateway.close();
    throw error;
  }
}
