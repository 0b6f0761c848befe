import type { DecidedBy, EventSummary } from '@csg/shared/contract';
import type { SecurityEvent, Storage } from '../../storage/storage.ts';

export interface DeciderDeps {
  readonly storage: Pick<Storage, 'policies' | 'requests'>;
}

type Decider = EventSummary['decided_by'];
export type NameDecider = (event: Pick<SecurityEvent, 'decidedBy'>) => Decider;

const LIMITS: Readonly<Record<string, string>> = {
  too_long: 'Length limit of a text',
  signed_content: 'Content that its provider signed',
  too_costly: 'Time limit of a scan',
  failed: 'Texts that cannot be scanned',
};

/** Returns the current names of the rules that decided these events. */
export async function readDeciders(
  deps: DeciderDeps,
  organizationId: string,
  events: readonly Pick<SecurityEvent, 'decidedBy'>[],
): Promise<NameDecider> {
  const idsOf = (kind: DecidedBy['kind']) =>
    new Set(events.flatMap(({ decidedBy }) => (decidedBy?.kind === kind ? [decidedBy.id] : [])));
  const names = new Map<string, string>();
  if (idsOf('policy').size > 0) {
    for (const { id, name } of await deps.storage.policies.list(organizationId)) names.set(id, name);
  }
  for (const id of idsOf('exception')) {
    const exception = await deps.storage.requests.get(organizationId, id, 'exception');
    if (exception !== null) names.set(id, `Exception for ${exception.destinationHost}`);
  }
  return ({ decidedBy }) => describe(decidedBy, names);
}

function describe(decidedBy: DecidedBy | undefined, names: ReadonlyMap<string, string>): Decider {
  if (decidedBy === undefined) return { kind: 'preset', id: null, name: 'Not recorded' };
  const { kind, id } = decidedBy;
  switch (kind) {
    case 'preset':
      return { kind, id, name: id.replace(':', ', ') };
    case 'policy':
      return { kind, id, name: names.get(id) ?? 'Deleted policy' };
    case 'exception':
      return { kind, id, name: names.get(id) ?? 'Deleted exception' };
    case 'policy_webhook':
      return { kind, id, name: 'Policy webhook' };
    case 'limit':
      return { kind, id, name: LIMITS[id] ?? id };
    case 'setting':
      return { kind, id, name: id };
    case 'feedback':
      return { kind, id, name: 'Text that an approver allowed' };
  }
}
