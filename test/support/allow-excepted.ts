import type { TestGateway } from './gateway.ts';

/** Stores an approved exception of a project for an hour; `threat`: the only one that it names. */
export async function allowExcepted(
  { exceptions }: TestGateway['storage'],
  organizationId: string,
  projectId: string,
  { host, threat = null }: { readonly host: string; readonly threat?: string | null },
): Promise<void> {
  const { id } = await exceptions.insert(organizationId, {
    ...{ projectId, deviceId: null, requestedBy: 'operator', requesterUserId: null, justification: null },
    ...{ destinationHost: host, hostKey: host, policyId: null, threat },
    ...{ reasonCategory: null, requestedMinutes: 60 },
  });
  const decision = { approve: true, decidedBy: 'other', reason: null, minutes: 60 };
  await exceptions.decide(organizationId, id, decision);
}
