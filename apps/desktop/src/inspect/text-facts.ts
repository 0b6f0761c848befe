import { WORKING_TYPES } from '@csg/shared/contract';
import { isWorking, type Texts, workingData } from '@csg/shared/decision';
import { piiSpans, Workspace } from '@csg/shared/detection';
import { readCodeResults, readDefinedTools, type TextFacts } from '@csg/shared/providers';
import { finish, type SlotRole, type TextSlot } from '@csg/shared/text';
import type { CompiledPolicy } from './compile-policy.ts';
import type { RequestReading } from './request-reading.ts';

/**
 * Returns what the whole body tells of a text, by its index: the service, which gets only what is new of it, cannot
 * know it.
 */
export function textFacts(
  reading: Pick<RequestReading, 'slots' | 'messages' | 'value'>,
  workspace = new Workspace(),
): (index: number) => TextFacts {
  const { slots, value } = reading;
  const data = workingData(value, reading);
  const isCode = finish(readCodeResults(value));
  const hasTools = readDefinedTools(value).size > 0;
  const carriedIn = ({ text }: TextSlot): readonly string[] => {
    const found = piiSpans(text, WORKING_TYPES, workspace).map(({ start, end }) => text.slice(start, end));
    return [...new Set(found)].filter((one) => finish(data.isCarried(one)));
  };
  const factsOf = (slot: TextSlot): TextFacts => {
    const carried = hasTools && slot.role === 'assistant' ? carriedIn(slot) : [];
    const working = finish(data.typesIn(slot));
    return {
      ...(HAS_CODE.has(slot.role) && isCode(slot.path, slot.role) && { is_code: true }),
      ...(working.length > 0 && { working: [...working] }),
      ...(carried.length > 0 && { carried: [...carried] }),
    };
  };
  const known = new Map<number, TextFacts>();
  return (index) => {
    const facts = known.get(index) ?? factsOf(slots[index]!);
    known.set(index, facts);
    return facts;
  };
}

const HAS_CODE: ReadonlySet<TextSlot['role']> = new Set(['user', 'tool_result']);

/** Returns the same for the engine on this device, which has the whole body. */
export function ownTextFacts(
  { policy }: CompiledPolicy,
  reading: Pick<RequestReading, 'slots' | 'messages' | 'value'>,
): Pick<Texts, 'isCode' | 'isReported'> {
  const data = workingData(reading.value, reading);
  let isCode: ((path: string, role?: SlotRole) => boolean) | undefined;
  return {
    *isCode({ path, role }) {
      isCode ??= yield* readCodeResults(reading.value);
      return isCode(path, role);
    },
    *isReported(finding, slot) {
      return !policy.masksWorkingData && (yield* isWorking(finding, slot, data));
    },
  };
}
