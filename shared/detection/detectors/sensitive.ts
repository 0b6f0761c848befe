import type { PiiType } from '../../contract/index.ts';
import { findSensitive, findSmuggled } from '../pii/find-sensitive.ts';
import { isSpecialIp } from '../pii/ip-address.ts';
import { maskFor, type PiiSpan } from '../pii/spans.ts';
import type { Finding } from '../types.ts';
import { type Detector, isDevelopers, place, type SlotView } from './detector.ts';

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
  const smuggled = findSmuggled(view.cleaned);
  for (const span of findSensitive(view.cleaned)) {
    // personal data in what the developer wrote is the developer's to share
    if (span.type !== 'api_key' && (mine || !wanted.has(span.type))) continue;
    if (span.type === 'ip_address' && isSpecialIp(text.slice(span.start, span.end))) continue;
    findings.push({ ...asFinding(view, span), ...place(view, span.start, span.end) });
  }
  if (smuggled !== undefined && (smuggled.type === 'api_key' || (!mine && wanted.has(smuggled.type))))
    findings.push(asFinding(view, smuggled));
};

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
