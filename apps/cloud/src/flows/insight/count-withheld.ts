import type { EventDetail } from '@csg/shared/contract';
import type { SecurityEvent, Storage } from '../../storage/storage.ts';

/** Number of the newest requests that are searched. */
const MAX_REQUESTS = 1_000;

/** Counts how often each text with a withheld passage occurred in the newest redacted requests of its project. */
export async function countWithheld(
  { storage }: { readonly storage: Pick<Storage, 'events'> },
  { organizationId, projectId, findings }: SecurityEvent,
): Promise<EventDetail['withheld_texts']> {
  const paths = new Map(
    findings.flatMap(({ isWithheld, textKey, path }) =>
      isWithheld === true && textKey !== undefined ? [[textKey, path] as const] : [],
    ),
  );
  if (paths.size === 0 || projectId === null) return [];
  const { events } = await storage.events.page(organizationId, {
    filter: { projectId, decision: 'redact', hasFindings: true },
    limit: MAX_REQUESTS,
  });
  const counts = new Map<string, number>();
  for (const event of events)
    for (const key of withheldKeys(event)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...paths].map(([key, path]) => ({ path, requests: counts.get(key) ?? 0 }));
}

function withheldKeys({ findings }: SecurityEvent): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { isWithheld, textKey } of findings)
    if (isWithheld === true && textKey !== undefined) keys.add(textKey);
  return keys;
}
