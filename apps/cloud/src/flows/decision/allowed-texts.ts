import type { Finding } from '@csg/shared/detection';
import { atOnce, finish, mapping, type Pace, type SlotRole, type TextSlot } from '@csg/shared/text';
import type { AllowedText, Storage, TextScope } from '../../storage/storage.ts';

export interface AllowedTextDeps {
  readonly storage: Pick<Storage, 'allowedTexts'>;
  readonly log: { error(fields: object, message: string): void };
}

/** Returns the key of the text with an attack; undefined for personal data, secrets and matches of policies. */
export type TextKeyOf = (finding: Finding) => string | undefined;

/** Findings whose keys are made at once. */
const FEW = 64;
/** Findings whose keys are looked up in one query. */
const TOGETHER = 512;

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
 * Returns the approved report that names the type of a finding and its text. If the approved texts cannot be read, none
 * counts.
 */
export async function findAllowedTexts(
  { storage, log }: AllowedTextDeps,
  scope: TextScope,
  findings: readonly Finding[],
  textKeyOf: TextKeyOf,
  pace: Pace = atOnce,
): Promise<(finding: Finding) => string | undefined> {
  const allowed = await findAll(storage, scope, findings, textKeyOf, pace).catch(unreadable(log));
  return (finding) =>
    allowed.find(
      ({ textKey, threatTypes }) => threatTypes.includes(finding.type) && textKey === textKeyOf(finding),
    )?.id;
}

async function findAll(
  storage: AllowedTextDeps['storage'],
  scope: TextScope,
  findings: readonly Finding[],
  textKeyOf: TextKeyOf,
  pace: Pace,
): Promise<readonly AllowedText[]> {
  const asked = new Set<string | undefined>([undefined]);
  const allowed: AllowedText[] = [];
  for (let at = 0; at < findings.length; at += TOGETHER) {
    const keysOf = mapping(findings.slice(at, at + TOGETHER), textKeyOf);
    const keys = new Set(findings.length > FEW ? await pace(keysOf) : finish(keysOf));
    const fresh = [...keys].filter((key) => !asked.has(key)) as string[];
    for (const key of fresh) asked.add(key);
    if (fresh.length > 0) allowed.push(...(await storage.allowedTexts.find(scope, fresh)));
  }
  return allowed;
}

function unreadable(log: AllowedTextDeps['log']): (cause: unknown) => readonly AllowedText[] {
  return (err) => {
    log.error({ err }, 'allowed texts could not be read, so none counts');
    return [];
  };
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
