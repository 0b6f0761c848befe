import type { ThreatType } from '@csg/shared/contract';
import { type DecideOptions, type Finding, hostName, type Verdict } from '@csg/shared/detection';
import type { Flow, PolicyFlow } from '@csg/shared/flow-control';
import type { UnreadPart } from '@csg/shared/providers';
import type { Exception, Policy, Storage } from '../../storage/storage.ts';
import type { Masked } from '../../webhooks/outbound/decision-webhooks.ts';
import type { TextsInConversation } from '../agent/text-positions.ts';
import type { TextKeyOf } from '../allowed-texts.ts';
import type { Principal } from '../authenticate-key.ts';
import { type PassedText, type PassedTexts, readPassedTexts } from './passed-texts.ts';

export interface ExceptionDeps {
  readonly storage: Pick<Storage, 'conversationNotes' | 'exceptions' | 'policies'>;
  readonly log: { error(fields: object, message: string): void };
}

/** A verdict with the ids of the exceptions that changed it. */
export type ExceptedVerdict = Verdict & {
  readonly exceptionIds?: readonly string[];
  /** What was masked, if that does not follow from the findings. */
  readonly masked?: Masked;
  /** Identifies the text of a finding without revealing it; absent if feedback does not apply there. */
  readonly textKeyOf?: TextKeyOf;
  /** The part that could not be read, if that decided. */
  readonly unread?: UnreadPart;
  /** Values of tool calls that occur only in untrusted data, whatever the project's action for them is. */
  readonly flows?: readonly Flow[];
  /** Tool calls that match policies. */
  readonly policyFlows?: readonly PolicyFlow[];
  /** Review of the tool call that blocks the response; `isRequired`: true until a person has decided. */
  readonly review?: { readonly id: string; readonly isRequired: boolean };
};

/**
 * Applies the exceptions that are active for this caller and host to a verdict that blocks or redacts: the threats they
 * name are reported and allowed; other findings decide as before. What an exception allowed in earlier turns of a
 * conversation stays allowed after it expires. If exceptions cannot be read, none applies.
 */
export async function applyExceptions(
  deps: ExceptionDeps,
  principal: Principal,
  destinationHost: string,
  texts: TextsInConversation | null,
  verdict: Verdict,
  decideAgain: (isExcused: NonNullable<DecideOptions['isExcused']>) => Verdict,
): Promise<ExceptedVerdict> {
  const { organizationId, projectId, deviceId } = principal;
  try {
    const host = hostName(destinationHost);
    const [exceptions, passed] = await Promise.all([
      deps.storage.exceptions.listActive(organizationId, { projectId, deviceId }, host),
      texts === null
        ? NONE_PASSED
        : readPassedTexts(deps.storage, principal, { ...texts, host }, verdict.findings),
    ]);
    if (exceptions.length === 0 && passed.isEmpty) return verdict;
    const policies = exceptions.some((exception) => exception.policyId !== null)
      ? await deps.storage.policies.listActive(organizationId, projectId)
      : [];
    const exceptionIds = new Set<string>();
    const passing: PassedText[] = [];
    const excepted = decideAgain((finding, policyId) => {
      const naming = exceptions.filter((exception) => isCovered(exception, finding, policyId, policies));
      for (const { id } of naming) exceptionIds.add(id);
      if (naming[0] !== undefined) {
        passing.push({ finding, policyId, exceptionId: naming[0].id });
        return true;
      }
      const earlier = passed.exceptionOf(finding, policyId);
      if (earlier !== undefined) exceptionIds.add(earlier);
      return earlier !== undefined;
    });
    const [first] = exceptionIds;
    if (first === undefined) return verdict;
    await passed.keep(passing);
    const isDeciding = excepted.decision !== verdict.decision;
    return {
      ...excepted,
      ...(isDeciding && { decidedBy: { kind: 'exception', id: first } }),
      exceptionIds: [...exceptionIds],
    };
  } catch (cause) {
    deps.log.error({ err: cause }, 'exceptions could not be read, so none counts');
    return verdict;
  }
}

const NONE_PASSED: PassedTexts = { isEmpty: true, exceptionOf: () => undefined, keep: async () => {} };

/** Returns the exception for a threat that a setting of the project decides, not a policy; null if there is none. */
export async function findException(
  deps: { readonly storage: Pick<Storage, 'exceptions'>; readonly log: ExceptionDeps['log'] },
  { organizationId, projectId, deviceId }: Principal,
  destinationHost: string,
  type: ThreatType,
): Promise<string | null> {
  try {
    const scope = { projectId, deviceId };
    const host = hostName(destinationHost);
    const exceptions = await deps.storage.exceptions.listActive(organizationId, scope, host);
    const naming = exceptions.find(
      ({ policyId, threat }) => policyId === null && (threat === null || threat === type),
    );
    return naming?.id ?? null;
  } catch (cause) {
    deps.log.error({ err: cause }, 'exceptions could not be read, so none counts');
    return null;
  }
}

/**
 * Returns whether an exception names the rule that decides over a finding: the policy, or, if the preset decides, the
 * first row of the preset with this threat type.
 */
function isCovered(
  { threat, policyId: named }: Exception,
  finding: Finding,
  policyId: string | null,
  policies: readonly Policy[],
): boolean {
  if (threat !== null && threat !== finding.type) return false;
  if (named === null) return true;
  if (policyId !== null) return named === policyId;
  return policies.find((row) => row.fromPreset && row.threatTypes.includes(finding.type))?.id === named;
}

/** Returns the host of a model provider, as exceptions name it. */
export function destinationOf(provider: { readonly origin: string }): string {
  return provider.origin.slice(provider.origin.indexOf('//') + 2);
}
