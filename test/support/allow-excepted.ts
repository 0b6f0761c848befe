import type { TestGateway } from './gateway.ts';

/** Stores an approved exception of a project for an hour; `threat`: the only one that it names. */
export async function allowExcepted(
  { requests }: TestGateway['storage'],
  organizationId: string,
  projectId: string,
  { host, threat = null }: { readonly host: string; readonly threat?: string | null },
): Promise<void> {
  const { id } = await requests.insert(organizationId, 'exception', {
    ...{ projectId, deviceId: null, requestedBy: 'operator', requesterUserId: null, justification: null },
    ...{ destinationHost: host, subject: host, policyId: null, threat },
    ...{ reasonCategory: null, requestedMinutes: 60 },
  });
  const decision = { approve: true, decidedBy: 'other', reason: null, endsInMs: 60 * 60_000 };
  await requests.decide(organizationId, id, decision);
}
