import { type Direction, THREAT_TYPES, type ThreatType } from '@csg/shared/contract';
import {
  decide,
  excusedTypes,
  excuseTypes,
  type Finding,
  hostName,
  type Verdict,
} from '@csg/shared/detection';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../authenticate-key.ts';
import type { Masked } from '../webhooks/decision-notices.ts';

export interface ExcuseDeps {
  readonly storage: Pick<Storage, 'exceptions' | 'policies'>;
  readonly log: { error(fields: object, message: string): void };
}

/** A verdict, with the ids of the exceptions that changed it. */
export type ExcusedVerdict = Verdict & {
  readonly exceptionIds?: readonly string[];
  /** What was masked, where that does not follow from the findings. */
  readonly masked?: Masked;
};

/**
 * Lays the exceptions that count for this caller and host over a verdict that blocks or redacts: the threats they
 * name are told and let through; whatever else was found decides as before. When they cannot be read, they do
 * not count.
 */
export async function excuseVerdict(
  deps: ExcuseDeps,
  principal: Principal,
  destinationHost: string,
  direction: Direction,
  findings: readonly Finding[],
  verdict: Verdict,
): Promise<ExcusedVerdict> {
  const { organizationId, projectId, deviceId } = principal;
  try {
    const exceptions = await deps.storage.exceptions.listCounting(
      organizationId,
      { projectId, deviceId },
      hostName(destinationHost),
    );
    if (exceptions.length === 0) return verdict;
    const policies = exceptions.some((exception) => exception.policyId !== null)
      ? await deps.storage.policies.listActive(organizationId, projectId)
      : [];
    const { actions } = principal.ruleset.compiled[direction];
    const refused = new Set(
      verdict.findings
        .map((finding) => finding.type)
        .filter((type) => actions.get(type) === 'block' || actions.get(type) === 'redact'),
    );
    const excused = new Set<ThreatType>();
    const exceptionIds: string[] = [];
    for (const exception of exceptions) {
      const types = excusedTypes(exception, policies, THREAT_TYPES).filter((type) => refused.has(type));
      if (types.length === 0) continue;
      exceptionIds.push(exception.id);
      for (const type of types) excused.add(type);
    }
    if (excused.size === 0) return verdict;
    const ruleset = excuseTypes(principal.ruleset.compiled, excused);
    return { ...decide(findings, ruleset, direction), exceptionIds };
  } catch (cause) {
    deps.log.error({ err: cause }, 'exceptions could not be read, so none counts');
    return verdict;
  }
}

/** The host that a model vendor's exceptions name. */
export function destinationOf(provider: { readonly origin: string }): string {
  return provider.origin.slice(provider.origin.indexOf('//') + 2);
}
