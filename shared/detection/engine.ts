import type { Direction } from '../contract/index.ts';
import type { TextSlot } from '../text/index.ts';
import { type CleanText, clean, originalRange } from './normalize/clean.ts';
import { findPii } from './pii/find-pii.ts';
import { isSpecialIp } from './pii/ip-address.ts';
import { PII_MASKS, type PiiSpan } from './pii/spans.ts';
import { matchRules } from './rules/match-rules.ts';
import type { Ruleset } from './ruleset.ts';
import { findSecrets } from './secrets/find-secrets.ts';
import type { Finding } from './types.ts';

/** Shorter than any attack, key or number worth masking. */
const MIN_LENGTH = 6;

/** Reads every slot and says what is in them. Pure; linear in the text; never throws. */
export function scan(slots: readonly TextSlot[], ruleset: Ruleset, direction: Direction): Finding[] {
  const findings: Finding[] = [];
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index]!;
    if (slot.text.length < MIN_LENGTH) continue;
    scanSlot(slot, index, ruleset, direction, findings);
  }
  return findings;
}

function scanSlot(
  slot: TextSlot,
  index: number,
  ruleset: Ruleset,
  direction: Direction,
  findings: Finding[],
): void {
  const cleaned = clean(slot.text);
  sensitive(cleaned, slot, index, ruleset, direction, findings);
  // the developer's own words are no attack on the developer
  if (slot.role === 'system' || slot.role === 'tool_definition') return;
  attacks(cleaned, slot, index, direction, findings);
  if (cleaned.smuggled !== '') smuggled(cleaned, slot, index, findings);
}

function sensitive(
  cleaned: CleanText,
  slot: TextSlot,
  index: number,
  ruleset: Ruleset,
  direction: Direction,
  findings: Finding[],
): void {
  const wanted = ruleset[direction].pii;
  for (const span of findSecrets(cleaned.text)) findings.push(sensitiveFinding(span, cleaned, index));
  // personal data in what the developer wrote is the developer's to share
  if (slot.role === 'system' || slot.role === 'tool_definition') return;
  for (const span of findPii(cleaned.text)) {
    if (!wanted.has(span.type)) continue;
    if (span.type === 'ip_address' && isSpecialIp(cleaned.text.slice(span.start, span.end))) continue;
    findings.push(sensitiveFinding(span, cleaned, index));
  }
}

const REASONS = {
  email: 'Holds an e-mail address.',
  phone: 'Holds a phone number.',
  ssn: 'Holds a US social security number.',
  credit_card: 'Holds a payment card number.',
  api_key: 'Holds a key or credential.',
  ip_address: 'Holds an IP address.',
} as const;

function sensitiveFinding(span: PiiSpan, cleaned: CleanText, slot: number): Finding {
  return {
    slot,
    ...originalRange(cleaned, span.start, span.end),
    type: span.type === 'api_key' ? 'secret_leak' : 'pii_leak',
    rule: span.rule,
    confidence: span.confidence,
    reason: REASONS[span.type],
    pii: span.type,
    mask: PII_MASKS[span.type],
  };
}

function attacks(
  cleaned: CleanText,
  slot: TextSlot,
  index: number,
  direction: Direction,
  findings: Finding[],
): void {
  const isData = slot.role === 'tool_result' || slot.role === 'document';
  for (const hit of matchRules(cleaned.text)) {
    if (direction === 'output' && hit.rule.output !== true) continue;
    if (hit.rule.roles !== undefined && !hit.rule.roles.includes(slot.role)) continue;
    findings.push({
      slot: index,
      ...originalRange(cleaned, hit.start, hit.end),
      type: isData && hit.rule.type !== 'data_exfiltration' ? 'indirect_prompt_injection' : hit.rule.type,
      rule: hit.rule.id,
      confidence:
        cleaned.hidden + cleaned.mixed > 2 ? Math.min(0.99, hit.rule.confidence + 0.1) : hit.rule.confidence,
      reason: hit.rule.reason,
    });
  }
}

function smuggled(cleaned: CleanText, slot: TextSlot, index: number, findings: Finding[]): void {
  const inside = matchRules(cleaned.smuggled);
  findings.push({
    slot: index,
    start: cleaned.smuggledAt,
    end: slot.text.length,
    type: 'hidden_content',
    rule: 'hidden.invisible-text',
    confidence: inside.length > 0 ? 0.98 : 0.85,
    reason: 'Carries text in invisible characters.',
  });
  for (const hit of inside) {
    findings.push({
      slot: index,
      start: cleaned.smuggledAt,
      end: slot.text.length,
      type: hit.rule.type,
      rule: hit.rule.id,
      confidence: 0.97,
      reason: `${hit.rule.reason.slice(0, -1)}, in invisible characters.`,
    });
  }
}
