import type { TextSlot } from '../../text/index.ts';
import { hiddenSentence } from '../normalize/transport-codes.ts';

/** Identifiers and metadata: what programs write about a request, and no model reads. */
export function isMachineMade(slot: TextSlot): boolean {
  return slot.role === 'identifier' || slot.role === 'metadata';
}

/**
 * False for what can hold no instruction. A random identifier looks like a code to any decoder, so only one that
 * decodes to words of a language is read.
 */
export function mayInstruct(slot: TextSlot): boolean {
  if (slot.role !== 'identifier') return slot.role !== 'metadata';
  return hiddenSentence(slot.text);
}
