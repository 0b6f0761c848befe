import type { IncomingHttpHeaders } from 'node:http';
import { type Ruleset, scan } from '@csg/shared/detection';
import { type Header, joinedHeaders, maskedHeaders, readableHeaders } from '@csg/shared/providers';
import { type Conversation, type TextSlot, withSlots } from '@csg/shared/text';
import { LRUCache } from 'lru-cache';
import type { Provider } from '../upstream/provider.ts';
import type { Principal } from './authenticate-key.ts';
import type { Evaluation } from './decision/evaluate.ts';

const MAX_CLIENTS = 100;

export interface HeaderDeps {
  readonly plainHeaders: PlainHeaders;
}

export interface RequestHeaders {
  /** Adds their texts, if there is something to evaluate. */
  withBody<C extends Conversation>(body: C): C;
  /** Returns the request with masked headers. */
  written<R extends { readonly headers: IncomingHttpHeaders }>(
    request: R,
    evaluation: Pick<Evaluation, 'verdict'>,
    evaluated: Conversation,
  ): R;
}

/**
 * Prepares a client's headers for scanning and masking, as far as the provider will see them. Most clients send the
 * same ones with every request: what the engine finds nothing in is not evaluated with the request.
 */
export function readRequestHeaders(
  { plainHeaders }: HeaderDeps,
  { ruleset: { compiled } }: Pick<Principal, 'ruleset'>,
  provider: Provider,
  headers: IncomingHttpHeaders,
): RequestHeaders {
  const sent = Object.entries(headers).filter(
    (one): one is [string, string] => typeof one[1] === 'string' && provider.passesHeader(one[0]),
  );
  const read = readableHeaders(sent);
  if (plainHeaders.isPlain(joinedHeaders(read), compiled)) return NOTHING;
  return {
    withBody: (body) => ({
      ...body,
      ...withSlots(
        body,
        read.map(({ slot }) => slot),
      ),
    }),
    written(request, { verdict: { replacements } }, { slots }) {
      const masked = maskedHeaders(read, (slot) => replacements.get(slots.indexOf(slot)));
      const named = Array.from(masked, ([at, value]): Header => [sent[at]![0], value]);
      return { ...request, headers: { ...request.headers, ...Object.fromEntries(named) } };
    },
  };
}

const NOTHING: RequestHeaders = {
  withBody: (body) => body,
  written: (request) => request,
};

/** Headers of a project's clients in which its rules find nothing. */
export interface PlainHeaders {
  isPlain(slot: TextSlot, rules: Ruleset): boolean;
}

/** Kept for as long as the rules are. */
export function createPlainHeaders(): PlainHeaders {
  const byRules = new WeakMap<Ruleset, LRUCache<string, true>>();
  return {
    isPlain(slot, rules) {
      const known = byRules.get(rules) ?? new LRUCache<string, true>({ max: MAX_CLIENTS });
      byRules.set(rules, known);
      if (known.get(slot.text) === true) return true;
      if (scan([slot], rules, 'input').length > 0) return false;
      known.set(slot.text, true);
      return true;
    },
  };
}
