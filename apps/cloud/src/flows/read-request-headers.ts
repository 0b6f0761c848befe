import type { IncomingHttpHeaders } from 'node:http';
import { KEY_PREFIX } from '@csg/shared/contract';
import { type Finding, type Ruleset, scan } from '@csg/shared/detection';
import { type Conversation, type TextSlot, withSlots } from '@csg/shared/text';
import { LRUCache } from 'lru-cache';
import type { Provider } from '../upstream/provider.ts';
import type { Principal } from './authenticate-key.ts';
import type { Evaluation } from './decision/evaluate.ts';
import { readHeaders } from './read-headers.ts';

/** Versions and ids that clients generate: only read if one of our keys is in it. */
const GENERATED = /^(?:anthropic-.*|x-(?:ms-)?client-request-id)$/;

const MAX_CLIENTS = 100;

export interface HeaderDeps {
  readonly plainHeaders: PlainHeaders;
}

export interface RequestHeaders {
  /** Adds their text, if there is something to evaluate. */
  withBody<C extends Conversation>(body: C): C;
  /** True for an address in the User-Agent, where programs name a contact: it is only reported. */
  isReported(finding: Finding, slot: TextSlot): boolean;
  /** Returns the request with masked headers. */
  written<R extends { readonly headers: IncomingHttpHeaders }>(
    request: R,
    evaluation: Pick<Evaluation, 'decision' | 'verdict'>,
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
  const read: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string' || !provider.passesHeader(name)) continue;
    if (!GENERATED.test(name) || value.includes(KEY_PREFIX)) read[name] = value;
  }
  const { slot, nameAt, shown } = readHeaders(read);
  if (slot === null || plainHeaders.isPlain(slot, compiled)) return NOTHING;
  return {
    withBody: (body) => ({ ...body, ...withSlots(body, [slot]) }),
    isReported: ({ pii, start }, { path }) =>
      pii === 'email' && path === slot.path && nameAt(start) === 'user-agent',
    written: (request, evaluation, { slots }) => ({
      ...request,
      headers: { ...request.headers, ...shown(evaluation, slots.indexOf(slot)) },
    }),
  };
}

const NOTHING: RequestHeaders = {
  withBody: (body) => body,
  isReported: () => false,
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
