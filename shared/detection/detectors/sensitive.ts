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

/** Personal data of the kinds the preset acts on, and secrets always. */
export const detectSensitive: Detector = (view, findings) => {
  // What the developer hands the vendor to sign in with is no leak.
  if (view.slot.role === 'credential') return;
  const { text } = view.cleaned;
  const wanted = view.ruleset[view.direction].pii;
  const mine = isDevelopers(view.slot);
  const smuggled = isMachineMade(view.slot) ? undefined : findSmuggled(view.cleaned);
  for (const span of spansIn(view)) {
    // personal data in what the developer wrote is the developer's to share
    if (span.type !== 'api_key' && (mine || !wanted.has(span.type))) continue;
    if (span.type === 'ip_address' && isSpecialIp(text.slice(span.start, span.end))) continue;
    findings.push({ ...asFinding(view, span), ...place(view, span.start, span.end) });
  }
  if (smuggled !== undefined && (smuggled.type === 'api_key' || (!mine && wanted.has(smuggled.type))))
    findings.push(asFinding(view, smuggled));
};

/** Identifiers are read for secrets only; they and metadata are what machines write, and never decoded. */
function spansIn({ slot, cleaned }: SlotView): PiiSpan[] {
  if (slot.role === 'identifier') return findSecrets(cleaned.text);
  return slot.role === 'metadata' ? withoutOverlaps(findPlain(cleaned.text)) : findSensitive(cleaned);
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
