import type { Finding, Verdict } from '@csg/shared/detection';
import type { SlotRole, TextSlot } from '@csg/shared/text';
import type { AllowedText, Storage, TextScope } from '../storage/storage.ts';

export interface AllowedTextDeps {
  readonly storage: Pick<Storage, 'allowedTexts'>;
  readonly log: { error(fields: object, message: string): void };
}

/** Returns the key of the text with an attack; undefined for personal data, secrets and matches of policies. */
export type TextKeyOf = (finding: Finding) => string | undefined;

export function textKeys(
  { storage }: Pick<AllowedTextDeps, 'storage'>,
  { organizationId, projectId }: TextScope,
  slots: readonly TextSlot[],
): TextKeyOf {
  const known = new Map<string, string>();
  return (finding) => {
    const slot = slots[finding.slot];
    if (slot === undefined || finding.pii !== undefined || finding.policyId !== undefined) return undefined;
    const role = roleOf(finding, slot);
    const place = `${finding.slot} ${role}`;
    const before = known.get(place);
    if (before !== undefined) return before;
    const key = storage.allowedTexts.keyOf({ organizationId, projectId }, role, slot.text);
    known.set(place, key);
    return key;
  };
}

/**
 * Applies approved texts to a verdict that blocks or redacts: attacks of the approved types in these texts are reported
 * and allowed. If the approved texts cannot be read, none applies.
 */
export async function applyAllowedTexts(
  deps: AllowedTextDeps,
  scope: TextScope,
  textKeyOf: TextKeyOf,
  verdict: Verdict,
  decideAgain: (isAllowed: (finding: Finding) => boolean) => Verdict,
): Promise<{ readonly verdict: Verdict; readonly isAllowed: (finding: Finding) => boolean }> {
  const allowed = await findAllowed(deps, scope, verdict.findings, textKeyOf);
  const naming = (finding: Finding): AllowedText | undefined =>
    allowed.find(
      ({ textKey, threatTypes }) => threatTypes.includes(finding.type) && textKey === textKeyOf(finding),
    );
  const isAllowed = (finding: Finding): boolean => naming(finding) !== undefined;
  const first = verdict.findings.map(naming).find((one) => one !== undefined);
  if (first === undefined) return { verdict, isAllowed };
  const again = decideAgain(isAllowed);
  const isDeciding = again.decision !== verdict.decision;
  return {
    verdict: { ...again, ...(isDeciding && { decidedBy: { kind: 'feedback', id: first.id } }) },
    isAllowed,
  };
}

async function findAllowed(
  { storage, log }: AllowedTextDeps,
  scope: TextScope,
  findings: readonly Finding[],
  textKeyOf: TextKeyOf,
): Promise<readonly AllowedText[]> {
  const keys = new Set(findings.flatMap((finding) => textKeyOf(finding) ?? []));
  if (keys.size === 0) return [];
  try {
    return await storage.allowedTexts.find(scope, [...keys]);
  } catch (cause) {
    log.error({ err: cause }, 'allowed texts could not be read, so none counts');
    return [];
  }
}

const DEVELOPER: readonly SlotRole[] = ['system', 'tool_definition'];
const MODEL: readonly SlotRole[] = ['assistant', 'tool_call'];

/** A passage that is marked as a document is untrusted, also in a user's own message. */
function roleOf({ withheld }: Finding, { role }: TextSlot): string {
  if (withheld !== undefined) return 'untrusted';
  if (DEVELOPER.includes(role)) return 'developer';
  if (MODEL.includes(role)) return 'model';
  return role === 'user' ? 'user' : 'untrusted';
}
