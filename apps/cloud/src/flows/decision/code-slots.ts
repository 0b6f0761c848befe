import { readCodeResults } from '@csg/shared/providers';
import type { SlotRole, Steps, TextSlot } from '@csg/shared/text';

/** Returns whether a text of a request is of a coding agent. Reads the request only when it is asked. */
export function codeSlots(body: unknown): (slot: TextSlot) => Steps<boolean> {
  let isCode: ((path: string, role?: SlotRole) => boolean) | undefined;
  return function* ({ path, role }) {
    isCode ??= yield* readCodeResults(body);
    return isCode(path, role);
  };
}
