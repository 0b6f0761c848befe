import type { TextSlot } from '../../text/index.ts';
import { hiddenSentence } from '../normalize/transport-codes.ts';

/** True for identifiers and metadata, which programs write about a request and no model reads. */
export function isProgramText(slot: TextSlot): boolean {
  return slot.role === 'identifier' || slot.role === 'metadata';
}

/**
 * False for texts that cannot contain an instruction. A random identifier looks encoded to any decoder, so an
 * identifier is read only if it decodes to words of a language.
 */
export function mayInstruct(slot: TextSlot): boolean {
  if (slot.role !== 'identifier') return slot.role !== 'metadata';
  return hiddenSentence(slot.text);
}
