import { finish, type Steps } from '../../text/index.ts';
import { childPointer } from '../reading/path.ts';
import type { JsonObject } from '../reading/text-collector.ts';
import { ARGUMENTS, ITEM_ARGUMENTS, NO_CALLS, type Place, placeOf, restOf } from './call-members.ts';
import { type OwnClient, ownClientOf } from './own-client.ts';
import { PartialCalls } from './partial-calls.ts';
import { type Candidate, candidatesIn, joinReadings, REST, readCandidate } from './read-block.ts';
import type { CallReading, ToolCall } from './tool-call.ts';

/** Values that are read between two pauses. */
const STRIDE = 64;
const mayHold = (value: unknown): boolean => typeof value === 'object' && value !== null;
/** Calls are at most a few levels deep in any interface. */
const MAX_DEPTH = 60;

/** Returns every call in a body, in order. */
export function readToolCalls(body: unknown): ToolCall[] {
  return finish(readToolCallsInSteps(body));
}

/** Does the same in steps. */
export function* readToolCallsInSteps(body: unknown): Steps<ToolCall[]> {
  return (yield* readCallsIn(body, ownClientOf(''))).flatMap((readings) => joinReadings(readings) ?? []);
}

/** Returns the readings of each call, that of the own client first. */
export function* readCallsIn(
  body: unknown,
  own: OwnClient,
  path = '',
  place: Place = 'elsewhere',
): Steps<CallReading[][]> {
  const partial = new PartialCalls();
  const whole = yield* readWholeCalls(body, own, path, place, partial);
  return [...whole, ...(yield* partial.finish())];
}

/** The same without the calls whose arguments go on in other frames: `partial` keeps those. */
export function* readWholeCalls(
  body: unknown,
  own: OwnClient,
  path: string,
  place: Place,
  partial: PartialCalls,
): Steps<CallReading[][]> {
  const walk = new Walk(own, partial);
  yield* walk.value(body, path, 0, place);
  return walk.calls;
}

class Walk {
  readonly calls: CallReading[][] = [];
  private readonly own: OwnClient;
  private readonly partial: PartialCalls;
  private read = 0;

  constructor(own: OwnClient, partial: PartialCalls) {
    this.own = own;
    this.partial = partial;
  }

  *value(value: unknown, path: string, depth: number, place: Place): Steps<void> {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    if (++this.read % STRIDE === 0) yield;
    if (!Array.isArray(value)) yield* this.block(value as JsonObject, path, depth, place);
    else
      for (let i = 0; i < value.length; i++)
        if (mayHold(value[i])) yield* this.value(value[i], `${path}/${i}`, depth + 1, place);
  }

  /** An object is at most one call; everything in it that is not the arguments of that call may contain others. */
  private *block(block: JsonObject, path: string, depth: number, place: Place): Steps<void> {
    const isPartial = this.partial.read(block, path);
    const candidates = candidatesIn(block, path, place, this.own).filter(
      ({ wrapper }) => !isPartial || !PARTIAL.has(wrapper),
    );
    const readings: CallReading[] = [];
    if (candidates.length > 0) this.calls.push(readings);
    const before = this.calls.length;
    const isCall = candidates.some(({ wrapper }) => wrapper === '');
    const given = isCall ? ITEM_NAMES : NONE;
    for (const name in block) {
      if (NO_CALLS.has(name) || given.has(name)) continue;
      const isWrapper = candidates.some(({ wrapper }) => wrapper === name);
      if (!mayHold(block[name])) continue;
      if (isWrapper) yield* this.inside(block[name] as JsonObject, childPointer(path, name), depth + 1);
      else yield* this.value(block[name], childPointer(path, name), depth + 1, placeOf(name));
    }
    const hasCalls = this.calls.length > before;
    for (const candidate of candidates)
      readings.push(...(yield* readCandidate(path, withRest(candidate, block, hasCalls))));
  }

  /** The object with a name and arguments was read; calls beside them were not. */
  private *inside(inner: JsonObject, path: string, depth: number): Steps<void> {
    for (const name in inner)
      if (!GIVEN_NAMES.has(name) && mayHold(inner[name]))
        yield* this.value(inner[name], childPointer(path, name), depth + 1, placeOf(name));
  }
}

/** An item that the provider runs itself has its arguments beside its other members. */
function withRest(candidate: Candidate, block: JsonObject, hasCalls: boolean): Candidate {
  const { wrapper, member, given } = candidate;
  const isNamed = typeof block['name'] === 'string';
  if (member !== REST && (wrapper !== '' || member !== '' || isNamed)) return candidate;
  return { ...candidate, given: { ...given, value: restOf(block, hasCalls) } };
}

const NONE: ReadonlySet<string> = new Set();
const PARTIAL: ReadonlySet<string> = new Set(['functionCall', 'function_call']);
const GIVEN_NAMES: ReadonlySet<string> = new Set(ARGUMENTS);
const ITEM_NAMES: ReadonlySet<string> = new Set(ITEM_ARGUMENTS);
