import { sensitiveRow } from './registry.ts';
import type { PiiSpan } from './spans.ts';

/**
 * Returns the replacement of a span. A bare JSON number gets quotes, so that the JSON remains valid: `{"card": 4111…}`
 * becomes `{"card": "[CREDIT_CARD]"}`.
 */
export function placeholderFor(text: string, span: PiiSpan): string {
  const { placeholder } = sensitiveRow(span.type);
  const code = text.charCodeAt(span.start);
  if (code < 48 || code > 57 || text.charCodeAt(span.end) === 34) return placeholder;
  const before = text.slice(Math.max(0, span.start - 40), span.start);
  const isValue =
    /"\s{0,4}:\s{0,30}$/.test(before) || (/[[,]\s{0,38}$/.test(before) && /^\s*[[{]/.test(text));
  return isValue && /^\s{0,38}[,}\]]/.test(text.slice(span.end, span.end + 40))
    ? `"${placeholder}"`
    : placeholder;
}
