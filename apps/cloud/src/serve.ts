import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config/parse-config.ts';
import { setUpService } from './flows/set-up-service.ts';
import { openGateway, SYSTEM_CLOCK } from './open-gateway.ts';
import { makeKey } from './storage/key-format.ts';
import { welcomeText } from './welcome-text.ts';

/** Runs the gateway until a signal ends it. Prints the address and, on first start, the first key. */
export async function serve(config: Config, log: FastifyBaseLogger): Promise<void> {
  const gateway = await openGateway(config, log);
  let closing: Promise<void> | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    if (closing !== undefined) return;
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
    const address = await gateway.listen();
    process.stdout.write(
      welcomeText({
        address,
        firstKey: account.firstKey?.plain ?? null,
        colour: process.stdout.isTTY === true,
      }),
    );
  } catch (error) {
    await gateway.close();
    throw error;
  }
}
