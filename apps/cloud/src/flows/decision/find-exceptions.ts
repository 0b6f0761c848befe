import type { Excepted, Exceptions } from '@csg/shared/decision';
import { coversThreat, type Finding, hostName } from '@csg/shared/detection';
import type { Exception, Policy, Storage } from '../../storage/storage.ts';
import type { Principal } from '../authenticate-key.ts';
import { readPassedTexts } from './passed-texts.ts';
import type { Subject } from './subject.ts';

export interface ExceptionDeps {
  readonly storage: Pick<Storage, 'conversationNotes' | 'policies' | 'requests'>;
  readonly log: { error(fields: object, message: string): void };
}

export interface ExceptionsFound extends Exceptions {
  /** Stores what exceptions let pass. */
  keep(excepted: readonly Excepted[]): Promise<void>;
}

const NONE: ExceptionsFound = {
  coverOf: () => undefined,
  keep: async () => {},
};

/**
 * Returns the exceptions that are active for this caller and destination. What an exception let pass in earlier turns
 * of a conversation stays allowed after it expires. If exceptions cannot be read, none counts.
 */
export async function findExceptions(
  { storage, log }: ExceptionDeps,
  principal: Principal,
  { destination, place }: Pick<Subject, 'destination' | 'place'>,
  findings: readonly Finding[],
): Promise<ExceptionsFound> {
  if (destination?.host === undefined) return NONE;
  const { organizationId, projectId, deviceId } = principal;
  const failed = (err: unknown): void => log.error({ err }, 'exceptions could not be read, so none counts');
  try {
    const host = hostName(destination.host);
    const [active, passed] = await Promise.all([
      storage.requests.listApproved(organizationId, 'exception', { projectId, deviceId }, host),
      place === undefined ? null : readPassedTexts(storage, principal, { ...place, host }, findings),
    ]);
    if (active.length === 0 && (passed === null || passed.isEmpty)) return NONE;
    const policies = active.some((exception) => exception.policyId !== null)
      ? await storage.policies.listActive(organizationId, projectId)
      : [];
    return {
      coverOf: (finding, policyId) =>
        active.find((exception) => isCovered(exception, finding, policyId, policies))?.id ??
        passed?.exceptionOf(finding, policyId),
      keep: async (excepted) => {
        // Those of earlier turns are stored already.
        const isActive = ({ exceptionId }: Excepted): boolean => active.some(({ id }) => id === exceptionId);
        await passed?.keep(excepted.filter(isActive)).catch(failed);
      },
    };
  } catch (cause) {
    failed(cause);
    return NONE;
  }
}

/**
 * Returns whether an exception names the rule that decides over a finding: the policy, or, if the preset decides, the
 * first row of the preset with this threat type.
 */
function isCovered(
  exception: Exception,
  finding: Finding,
  policyId: string | null,
  policies: readonly Policy[],
): boolean {
  const named = exception.policyId;
  if (!coversThreat(exception, finding.type)) return false;
  if (named === null) return true;
  if (policyId !== null) return named === policyId;
  return policies.find((row) => row.fromPreset && row.threatTypes.includes(finding.type))?.id === named;
}

/** Returns the host of a model provider, as exceptions name it. */
export function destinationOf(provider: { readonly origin: string }): string {
  return provider.origin.slice(provider.origin.indexOf('//') + 2);
}
