import { hash, randomBytes } from 'node:crypto';
import { type Ruleset, resolveRuleset } from '@csg/shared/detection';
import { LRUCache } from 'lru-cache';
import type { ScopeOf } from '../inspect/evaluate-reading.ts';
import type { CombinedBlock, KnownText, TextMemory } from '../inspect/text-memory.ts';
import { type AnswerMemory, createAnswerMemory } from './create-answer-memory.ts';
import { createAnswerDigest } from './mask-digest.ts';

/** The service may change without a new configuration: a revoked approval, a new engine. */
const MAX_AGE_MS = 60 * 60 * 1000;
/** Maximum number of texts; a session of a coding agent has a few thousand. */
const MAX_TEXTS = 20_000;
/** Maximum of all stored replacements. */
const MAX_REPLACEMENTS = 100_000;
const MAX_BLOCKED = 200;
const MAX_KEYS_TOGETHER = 200;

interface Entry {
  readonly known: KnownText;
  readonly atMs: number;
}

interface Blocked extends CombinedBlock {
  readonly keys: readonly string[];
  readonly atMs: number;
}

/**
 * Kept only in the memory of the proxy's process, but for `answers`. Evicts the least recently used entries first.
 */
export function createTextMemory(now: () => number, answers: AnswerMemory = ownAnswers(now)): TextMemory {
  const texts = new LRUCache<string, Entry>({
    max: MAX_TEXTS,
    maxSize: MAX_TEXTS + MAX_REPLACEMENTS,
    sizeCalculation: ({ known }) => 1 + known.replacements.length,
  });
  let blocked: Blocked[] = [];
  const isOld = (atMs: number): boolean => Math.abs(now() - atMs) > MAX_AGE_MS;

  return {
    digest: digestOf,
    recall(key) {
      const entry = texts.get(key);
      if (entry === undefined || !isOld(entry.atMs)) return entry?.known;
      texts.delete(key);
      return undefined;
    },
    store(key, known) {
      texts.set(key, { known, atMs: now() });
    },
    storeBlocked(keys, why) {
      if (keys.length > MAX_KEYS_TOGETHER) return;
      blocked = [...blocked.slice(1 - MAX_BLOCKED), { ...why, keys, atMs: now() }];
    },
    storeAnswer: answers.storeAnswer,
    isAnswered: answers.isAnswered,
    recallBlocked: (keys) =>
      blocked.findLast((one) => !isOld(one.atMs) && one.keys.every((key) => keys.has(key))) ?? null,
  };
}

const ownAnswers = (now: () => number): AnswerMemory =>
  createAnswerMemory(now, createAnswerDigest(randomBytes(32)), () => {});

/** Digests every UTF-16 code unit: UTF-8 would map all lone surrogates to one character. */
function digestOf(text: string): string {
  return text.isWellFormed()
    ? hash('sha256', text, 'base64')
    : `!${hash('sha256', Buffer.from(text, 'utf16le'), 'base64')}`;
}

export function createScopeOf(): ScopeOf {
  const numbers = new WeakMap<Ruleset, number>();
  let last = 0;
  return (service, { policy, ruleset }, context) => {
    const { policyVersion, mode } = policy;
    if (ruleset.contextual === null) return JSON.stringify([service, policyVersion, mode]);
    // Policies with a time or place condition start and stop applying without a new version.
    const counting = resolveRuleset(ruleset, context);
    let number = numbers.get(counting);
    if (number === undefined) {
      number = ++last;
      numbers.set(counting, number);
    }
    return JSON.stringify([service, policyVersion, mode, number]);
  };
}
