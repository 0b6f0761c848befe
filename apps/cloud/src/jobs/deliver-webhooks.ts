import type { Courier } from '../webhooks/outbound/courier.ts';

const EVERY_MS = 250;

/** Delivers webhooks until stopped; stopping waits for the attempts under way. Several instances may do so. */
export function startDeliveringWebhooks(
  courier: Courier,
  everyMs: number = EVERY_MS,
): { stop(): Promise<void> } {
  const timer = setInterval(() => void courier.look(), everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await courier.close();
    },
  };
}
