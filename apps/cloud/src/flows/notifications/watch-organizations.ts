import { findSignals, type SignalDeps } from './find-signals.ts';
import { notify } from './notify.ts';

/** States that end: when a device becomes silent again, it is reported again. */
const STATES = /^(device\.|webhook\.failing|blocks\.burst)/;

/** Checks every organization that has targets and queues the signals they were not sent yet. */
export async function watchOrganizations(deps: SignalDeps): Promise<void> {
  for (const organizationId of await deps.storage.endpoints.listOrganizations('notification')) {
    await watchOrganization(deps, organizationId, true);
  }
}

/** `isReported` is false for a first target: existing states are marked without a notification. */
export async function watchOrganization(
  deps: SignalDeps,
  organizationId: string,
  isReported: boolean,
): Promise<void> {
  const { storage, clock } = deps;
  const signals = await findSignals(deps, organizationId);
  const marks = new Set(await storage.notifications.listMarks(organizationId));
  const present = new Set(signals.map(({ key }) => key));
  const over = [...marks].filter((key) => STATES.test(key) && !present.has(key));
  await storage.notifications.removeMarks(organizationId, over);
  for (const signal of signals) {
    if (marks.has(signal.key)) continue;
    if (!isReported) await storage.notifications.mark(organizationId, signal.key);
    // In one transaction, so that every marked signal is in the queue.
    else
      await storage.transaction((repositories) => notify(repositories, organizationId, signal, clock.now()));
  }
}
