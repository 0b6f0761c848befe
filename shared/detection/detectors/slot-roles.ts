import type { TextSlot } from '../../text/index.ts';

/** True for data that the model is only meant to read. */
export function isData(slot: TextSlot): boolean {
  return slot.role === 'tool_result' || slot.role === 'document';
}

/** True for the developer's texts, which cannot attack the developer. */
export function isDevelopers(slot: TextSlot): boolean {
  return slot.role === 'system' || slot.role === 'tool_definition';
}
