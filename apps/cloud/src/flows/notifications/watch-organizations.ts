import { findSignals, type SignalDeps } from './find-signals.ts';
import { notify } from './notify.ts';

/** States that end: a device that falls silent again is told of again. */
const STATES = /^(device\.|webhook\.failing|blocks\.burst)/;

/** Looks at every organization that has targets, and queues what they were not told of. */
export async function watchOrganizations(deps: SignalDeps): Promise<void> {
  for (const organizationId of await deps.storage.notifications.listOrganizations()) {
    await watchOrganization(deps, organizationId, true);
  }
}

/** `isReported` false: what is so already is no news to a first target. */
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
    // Both or neither: what is marked is in the queue.
    else
      await storage.transaction((repositories) => notify(repositories, organizationId, signal, clock.now()));
  }
}
