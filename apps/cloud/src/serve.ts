import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config/parse-config.ts';
import { offerSetUp } from './flows/people/set-up-owner.ts';
import { setUpService } from './flows/set-up-service.ts';
import { openGateway, SYSTEM_CLOCK } from './open-gateway.ts';
import { makeKey } from './storage/key-format.ts';
import { welcomeText } from './welcome-text.ts';

const IMPATIENT_MS = 1_000;

/** Runs the gateway until a signal ends it; a second signal ends it at once. Prints the address and, on first start, the first key. */
export async function serve(config: Config, log: FastifyBaseLogger): Promise<void> {
  const gateway = await openGateway(config, log);
  let closing: Promise<void> | undefined;
  let askedAtMs = 0;
  const stop = (signal: NodeJS.Signals): void => {
    if (closing !== undefined) {
      // npm hands on the signal that the terminal sent too; only a later one says "now".
      if (performance.now() - askedAtMs > IMPATIENT_MS) process.exit(1);
      return;
    }
    askedAtMs = performance.now();
    log.info({ signal }, 'draining');
    closing = gateway.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    const account = await setUpService(
      { storage: gateway.storage, clock: SYSTEM_CLOCK, makeKey },
      'First key',
    );
    const setUpToken = await offerSetUp({ storage: gateway.storage, clock: SYSTEM_CLOCK }, account);
    const address = await gateway.listen();
    const base = config.publicUrl ?? address;
    process.stdout.write(
      welcomeText({
        address,
        firstKey: account.firstKey?.plain ?? null,
        dashboard: `${base}/dashboard/`,
        setUp: setUpToken === null ? null : `${base}/dashboard/set-up?token=${setUpToken}`,
        colour: process.stdout.isTTY === true,
      }),
    );
  } catch (error) {
    await gateway.close();
    throw error;
  }
}
