import { readCodeResults } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';

/** Returns whether a text of a request is of a coding agent. Reads the request only when it is asked. */
export function codeSlots(body: unknown): (slot: TextSlot) => boolean {
  let isCode: ReturnType<typeof readCodeResults> | undefined;
  return ({ path, role }) => {
    isCode ??= readCodeResults(body);
    return isCode(path, role);
  };
}
