import type { ThreatType } from '@csg/shared/contract';
import { type DecideOptions, type Finding, hostName, type Verdict } from '@csg/shared/detection';
import type { Flow, PolicyFlow } from '@csg/shared/flow-control';
import type { UnreadPart } from '@csg/shared/providers';
import type { Exception, Policy, Storage } from '../../storage/storage.ts';
import type { Masked } from '../../webhooks/outbound/decision-webhooks.ts';
import type { TextsInConversation } from '../agent/text-places.ts';
import type { TextKeyOf } from '../allowed-texts.ts';
import type { Principal } from '../authenticate-key.ts';
import { type PassedText, type PassedTexts, readPassedTexts } from './passed-texts.ts';

export interface ExceptionDeps {
  readonly storage: Pick<Storage, 'conversationNotes' | 'exceptions' | 'policies'>;
  readonly log: { error(fields: object, message: string): void };
}

/** A verdict, with the ids of the exceptions that changed it. */
export type ExceptedVerdict = Verdict & {
  readonly exceptionIds?: readonly string[];
  /** What was masked, where that does not follow from the findings. */
  readonly masked?: Masked;
  /** Names the text of a finding without telling it; absent: no feedback counts there. */
  readonly textKeyOf?: TextKeyOf;
  /** The part that was not read, if that decided. */
  readonly unread?: UnreadPart;
  /** Values of tool calls that only untrusted data names, whatever the project does about them. */
  readonly flows?: readonly Flow[];
  /** Tool calls that policies are about. */
  readonly policyFlows?: readonly PolicyFlow[];
  /** Of the tool call that blocks the answer; `isRequired`: until a person has decided. */
  readonly review?: { readonly id: string; readonly isRequired: boolean };
};

/**
 * Lays the exceptions that count for this caller and host over a verdict that blocks or redacts: the threats they
 * name are reported and allowed; whatever else was found decides as before. What they let pass in earlier turns of a
 * conversation stays passed after their end. When they cannot be read, they do not count.
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

/** The exception that names a threat which no policy decides over, but a setting of the project; null: none. */
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
 * Whether an exception names what decides over a finding. A policy decides where it is the first that names the type;
 * where the preset does, that is the row that tells so.
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

/** The host that a model provider's exceptions name. */
export function destinationOf(provider: { readonly origin: string }): string {
  return provider.origin.slice(provider.origin.indexOf('//') + 2);
}
