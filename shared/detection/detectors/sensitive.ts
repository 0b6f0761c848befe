import type { PiiType } from '../../contract/index.ts';
import { withoutOverlaps } from '../../text/index.ts';
import { findPlain, findSensitive, findSmuggled } from '../pii/find-sensitive.ts';
import { isSpecialIp } from '../pii/ip-address.ts';
import { maskFor, type PiiSpan } from '../pii/spans.ts';
import { findSecrets } from '../secrets/find-secrets.ts';
import type { Finding } from '../types.ts';
import { type Detector, isDevelopers, place, type SlotView } from './detector.ts';
import { isMachineMade } from './machine-made.ts';

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
  const { text } = view.cleaned;
  const { pii: wanted, developerPii: masked } = view.ruleset[view.direction];
  const isWanted = ({ type }: PiiSpan) => type === 'api_key' || wanted.has(type);
  const isOwn = isInOwnWords(view);
  for (const span of spansIn(view)) {
    if (!isWanted(span)) continue;
    if (span.type === 'ip_address' && isSpecialIp(text.slice(span.start, span.end))) continue;
    const isReported = !masked.has(span.type) && isOwn(span);
    findings.push({
      ...asFinding(view, span),
      ...place(view, span.start, span.end),
      ...(isReported && { reportOnly: true }),
    });
  }
  const smuggled = isMachineMade(view.slot) ? undefined : findSmuggled(view.cleaned);
  if (smuggled !== undefined && isWanted(smuggled)) findings.push(asFinding(view, smuggled));
};

/** Identifiers are read for secrets only; they and metadata are what machines write, and never decoded. */
function spansIn({ slot, cleaned }: SlotView): PiiSpan[] {
  if (slot.role === 'identifier') return findSecrets(cleaned.text);
  return slot.role === 'metadata' ? withoutOverlaps(findPlain(cleaned.text)) : findSensitive(cleaned);
}

/** Whether a span lies in the developer's own words and not in a document marked there; spans are asked about in order. */
function isInOwnWords({ slot, passages }: SlotView): (span: PiiSpan) => boolean {
  if (!isDevelopers(slot)) return () => false;
  let next = 0;
  return ({ start, end }) => {
    while (next < passages.length && passages[next]!.end <= start) next++;
    const passage = passages[next];
    return passage === undefined || passage.start >= end;
  };
}

function asFinding(view: SlotView, span: PiiSpan): Finding {
  return {
    slot: view.index,
    start: span.start,
    end: span.end,
    type: span.type === 'api_key' ? 'secret_leak' : 'pii_leak',
    rule: span.rule,
    confidence: span.confidence,
    reason: REASONS[span.type],
    pii: span.type,
    mask: maskFor(view.cleaned.text, span),
  };
}
