import type { TextSlot } from '../../text/index.ts';

/** Data the model is only meant to read. */
export function isData(slot: TextSlot): boolean {
  return slot.role === 'tool_result' || slot.role === 'document';
}

/** What the developer wrote is no attack on the developer. */
export function isDevelopers(slot: TextSlot): boolean {
  return slot.role === 'system' || slot.role === 'tool_definition';
}
