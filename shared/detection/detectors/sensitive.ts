import type { PiiType } from '../../contract/index.ts';
import { clean, originalRange } from '../normalize/clean.ts';
import { findSecretsAlone, findSensitive, findUndisguised } from '../pii/find-sensitive.ts';
import { isSpecialIp } from '../pii/ip-address.ts';
import { maskFor, type PiiSpan } from '../pii/spans.ts';
import type { Finding } from '../types.ts';
import { type Detector, isDevelopers, type SlotView } from './detector.ts';

const REASONS: Readonly<Record<PiiType, string>> = {
  email: 'Holds an e-mail address.',
  phone: 'Holds a phone number.',
  ssn: 'Holds a US social security number.',
  credit_card: 'Holds a payment card number.',
  api_key: 'Holds a key or credential.',
  ip_address: 'Holds an IP address.',
};

/**
 * Personal data of the kinds the preset acts on, and secrets always. Contact data in the developer's own words is there
 * for the model to use, so the preset may only report it.
 */
export const detectSensitive: Detector = (view, findings) => {
  // What the developer hands the vendor to sign in with is no leak.
  if (view.slot.role === 'credential') return;
  const { text } = view.slot;
  const { pii: wanted, developerPii: masked } = view.ruleset[view.direction];
  const isOwn = isInOwnWords(view);
  for (const span of spansIn(view)) {
    if (span.type !== 'api_key' && !wanted.has(span.type)) continue;
    if (span.type === 'ip_address' && isSpecialIp(clean(text.slice(span.start, span.end)).text)) continue;
    const isReported = !masked.has(span.type) && isOwn(span);
    findings.push({ ...asFinding(view, span), ...(isReported && { reportOnly: true }) });
  }
};

/** Identifiers are read for secrets only; they and metadata are what machines write, and never decoded. */
function spansIn({ slot, cleaned }: SlotView): PiiSpan[] {
  if (slot.role === 'identifier') return findSecretsAlone(cleaned);
  return slot.role === 'metadata' ? findUndisguised(cleaned) : findSensitive(slot.text, cleaned);
}

/** Whether a span lies in the developer's own words and not in a document marked there; spans are asked about in order. */
function isInOwnWords({ slot, cleaned, passages }: SlotView): (span: PiiSpan) => boolean {
  if (!isDevelopers(slot)) return () => false;
  const documents = passages.map(({ start, end }) => originalRange(cleaned, start, end));
  let next = 0;
  return ({ start, end }) => {
    while (next < documents.length && documents[next]!.end <= start) next++;
    const document = documents[next];
    return document === undefined || document.start >= end;
  };
}

function asFinding({ index, slot }: SlotView, span: PiiSpan): Finding {
  return {
    slot: index,
    start: span.start,
    end: span.end,
    type: span.type === 'api_key' ? 'secret_leak' : 'pii_leak',
    rule: span.rule,
    confidence: span.confidence,
    reason: REASONS[span.type],
    pii: span.type,
    mask: maskFor(slot.text, span),
  };
}
