import { childPointer } from '../reading/path.ts';
import type { JsonObject } from '../reading/text-collector.ts';
import { ARGUMENTS, ITEM_ARGUMENTS, NO_CALLS, type Place, placeOf, restOf } from './call-members.ts';
import { type OwnClient, ownClientOf } from './own-client.ts';
import { PartialCalls } from './partial-calls.ts';
import { type Candidate, candidatesIn, joinReadings, REST, readCandidate } from './read-block.ts';
import type { CallReading, ToolCall } from './tool-call.ts';

/** Calls are at most a few levels deep in any interface. */
const MAX_DEPTH = 60;

/** Returns every call in a body, in order; `format`: the interface whose own client reads it, if there is one. */
export function readToolCalls(body: unknown, format = ''): ToolCall[] {
  return readCallsIn(body, ownClientOf(format)).flatMap((readings) => joinReadings(readings) ?? []);
}

/** Returns the readings of each call, that of the own client first. */
export function readCallsIn(
  body: unknown,
  own: OwnClient,
  path = '',
  place: Place = 'elsewhere',
): CallReading[][] {
  const partial = new PartialCalls();
  return [...readWholeCalls(body, own, path, place, partial), ...partial.finish()];
}

/** The same without the calls whose arguments go on in other frames: `partial` keeps those. */
export function readWholeCalls(
  body: unknown,
  own: OwnClient,
  path: string,
  place: Place,
  partial: PartialCalls,
): CallReading[][] {
  const walk = new Walk(own, partial);
  walk.value(body, path, 0, place);
  return walk.calls;
}

class Walk {
  readonly calls: CallReading[][] = [];
  private readonly own: OwnClient;
  private readonly partial: PartialCalls;

  constructor(own: OwnClient, partial: PartialCalls) {
    this.own = own;
    this.partial = partial;
  }

  value(value: unknown, path: string, depth: number, place: Place): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    if (!Array.isArray(value)) this.block(value as JsonObject, path, depth, place);
    else for (let i = 0; i < value.length; i++) this.value(value[i], `${path}/${i}`, depth + 1, place);
  }

  /** An object is at most one call; everything in it that is not the arguments of that call may contain others. */
  private block(block: JsonObject, path: string, depth: number, place: Place): void {
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
      if (isWrapper) this.inside(block[name] as JsonObject, childPointer(path, name), depth + 1);
      else this.value(block[name], childPointer(path, name), depth + 1, placeOf(name));
    }
    const hasCalls = this.calls.length > before;
    for (const candidate of candidates)
      readings.push(...readCandidate(path, withRest(candidate, block, hasCalls)));
  }

  /** The object with a name and arguments was read; calls beside them were not. */
  private inside(inner: JsonObject, path: string, depth: number): void {
    for (const name in inner)
      if (!GIVEN_NAMES.has(name)) this.value(inner[name], childPointer(path, name), depth + 1, placeOf(name));
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
