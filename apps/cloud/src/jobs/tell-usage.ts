import { type TellUsageDeps, tellUsage } from '../flows/usage-alerts/tell-usage.ts';
import { type RepeatedWork, repeat } from './repeat.ts';

const EVERY_MS = 2_000;

/** Tells accounts that crossed a part of their quota, until stopped. Several instances may do so. */
export function startTellingUsage(
  deps: TellUsageDeps & Pick<RepeatedWork, 'log'>,
  everyMs: number = EVERY_MS,
): { stop(): Promise<void> } {
  const fault = 'accounts cannot be told of their usage for now';
  return repeat({ work: () => tellUsage(deps), everyMs, log: deps.log, fault });
}
