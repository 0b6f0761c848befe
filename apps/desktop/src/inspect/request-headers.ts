import { scan } from '@csg/shared/detection';
import {
  type Header,
  isHeaderText,
  joinedHeaders,
  maskedHeaders,
  type ReadHeader,
  readableHeaders,
} from '@csg/shared/providers';
import type { EvaluationTools, InspectedRequest } from './evaluate-reading.ts';
import type { RequestReading } from './request-reading.ts';
import { PASSED } from './text-memory.ts';

/**
 * Adds the headers that the provider will see to what is read of a request. Apps send the same ones with every request:
 * what the engine finds nothing in is not evaluated.
 */
export function withHeaders(
  reading: RequestReading,
  request: InspectedRequest,
  tools: EvaluationTools,
): RequestReading {
  const headers = readableHeaders(headersOf(request.rawHeaders ?? []));
  if (headers.length === 0 || isPlain(headers, request, tools)) return reading;
  const first = reading.slots.length;
  const slots = [...reading.slots, ...headers.map(({ slot }) => slot)];
  return {
    ...reading,
    slots,
    write(replacements) {
      const others = new Map([...replacements].filter(([index]) => index < first));
      const masked = maskedHeaders(headers, (slot) => replacements.get(slots.indexOf(slot)));
      return { ...reading.write(others), ...(masked.size > 0 && { headers: masked }) };
    },
  };
}

/** Pairs the names, in lower case, with their values. */
function headersOf(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i]!.toLowerCase(), raw[i + 1]!]);
  return headers;
}

function isPlain(
  headers: readonly ReadHeader[],
  { compiled, host }: InspectedRequest,
  { memory, scopeOf, access, now }: EvaluationTools,
): boolean {
  const joined = joinedHeaders(headers);
  const scope = scopeOf(access?.service ?? '', compiled, { host, model: null, atMs: now() });
  const key = `headers ${memory.digest(`${scope} ${joined.text}`)}`;
  if (memory.recall(key) !== undefined) return true;
  if (scan([joined], compiled.ruleset, 'input').length > 0) return false;
  memory.store(key, PASSED);
  return true;
}

/** True if there is a text of the body or the address: a response to it is read. */
export function hasPrompt({ slots, unscanned }: Pick<RequestReading, 'slots' | 'unscanned'>): boolean {
  return unscanned.length > 0 || slots.some((slot) => slot.isKey !== true && !isHeaderText(slot));
}
