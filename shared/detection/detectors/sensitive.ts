import { normalizeText, originalRange } from '../normalize/normalize-text.ts';
import { findSecretsAsWritten, findSensitive, type SensitiveSpan } from '../pii/find-sensitive.ts';
import { isSpecialIp } from '../pii/ip-address.ts';
import { placeholderFor } from '../pii/placeholder.ts';
import { type SensitiveType, sensitiveRow } from '../pii/registry.ts';
import { allowedBy } from '../policies/allowed-values.ts';
import { isExampleSecret } from '../secrets/example-secret.ts';
import type { Finding } from '../types.ts';
import type { Detector, SlotView } from './detector.ts';
import { isProgramText } from './program-text.ts';
import { isDevelopers } from './slot-roles.ts';

/**
 * Detects personal data of the ruleset's types, and secrets except in credentials. Contact data in the developer's own
 * words is there for the model to use, so the preset may only report it.
 */
export const detectSensitive: Detector = (view, findings) => {
  const { slot, cleaned, workspace } = view;
  // Programs write identifiers and metadata, and a credential is meant for one, so they are never decoded.
  const asWritten = isProgramText(slot) || slot.role === 'credential';
  const { optIn } = view.ruleset[view.direction];
  const spans =
    slot.role === 'identifier'
      ? findSecretsAsWritten(cleaned, view.text)
      : findSensitive(slot.text, cleaned, view.text, workspace, optIn, asWritten);
  if (spans.length === 0) return;
  const isWanted = wantedIn(view);
  const isReported = reportedIn(view);
  for (const span of spans) {
    if (!isWanted(span.type)) continue;
    if (
      span.type === 'ip_address' &&
      isSpecialIp(normalizeText(slot.text.slice(span.start, span.end), workspace).text)
    )
      continue;
    findings.push({
      ...asFinding(view, span),
      ...allowedBy(view.ruleset.allowedValues, slot.text, span),
      ...(isReported(span) && { reportOnly: true }),
    });
  }
};

function wantedIn({ slot, ruleset, direction }: SlotView): (type: SensitiveType) => boolean {
  const { pii } = ruleset[direction];
  if (slot.role === 'identifier') return (type) => type === 'api_key';
  // The credential that the developer passes to the provider is not a leak.
  if (slot.role === 'credential') return (type) => type !== 'api_key' && pii.has(type);
  return (type) => type === 'api_key' || pii.has(type);
}

/**
 * Returns a check whether a span is in the developer's own words, outside of documents marked there. Call it with spans
 * in order.
 */
function reportedIn({
  slot,
  cleaned,
  passages,
  ruleset,
  direction,
}: SlotView): (span: SensitiveSpan) => boolean {
  // An account name may be part of the credential.
  if (slot.role === 'credential') return ({ type }) => type !== 'ssn' && type !== 'credit_card';
  if (!isDevelopers(slot)) return () => false;
  const redacted = ruleset[direction].developerPii;
  const places = passages.map(({ start, end }) => originalRange(cleaned, start, end));
  let next = 0;
  return ({ type, start, end }) => {
    while (next < places.length && places[next]!.end <= start) next++;
    const place = places[next];
    return !redacted.has(type) && (place === undefined || place.start >= end);
  };
}

function asFinding({ index, slot }: SlotView, span: SensitiveSpan): Finding {
  return {
    slot: index,
    start: span.start,
    end: span.end,
    type: span.type === 'api_key' ? 'secret_leak' : 'pii_leak',
    rule: span.rule,
    confidence: span.confidence,
    reason: sensitiveRow(span.type).reason,
    pii: span.type,
    ...(span.type === 'api_key' && isExampleSecret(slot.text, span) && { isExample: true }),
    placeholder: placeholderFor(slot.text, span),
  };
}
