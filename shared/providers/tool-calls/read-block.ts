import type { Steps } from '../../text/index.ts';
import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import {
  ARGUMENTS,
  ITEM_ARGUMENTS,
  isCallType,
  nameOfType,
  type Place,
  typeOf,
  WRAPPERS,
} from './call-members.ts';
import type { OwnClient } from './own-client.ts';
import { type CallReading, type GivenArguments, readArguments, type ToolCall } from './tool-call.ts';

/** One way to read an object as a call, with its arguments as given. */
export interface Candidate {
  /** The member that contains the call; empty: the object is the call. */
  readonly wrapper: string;
  /** The member with the arguments; empty: there is none. */
  readonly member: string;
  readonly id: unknown;
  readonly name: string;
  readonly given: GivenArguments;
}

/**
 * Returns every way in which a client can read an object as a call, that of the interface's own client first.
 */
export function candidatesIn(block: JsonObject, path: string, place: Place, own: OwnClient): Candidate[] {
  const type = typeOf(block);
  const preferred = own(type);
  const found: Candidate[] = [];
  const id = block['id'] ?? block['call_id'];
  for (const wrapper of WRAPPERS) {
    const inner = block[wrapper];
    if (isJsonObject(inner) && !(place === 'elsewhere' && isDefinition(inner)))
      addWrapped(found, wrapper, inner, `${path}/${wrapper}`, id, preferred);
  }
  for (const wrapper of ['executableCode', 'executable_code']) {
    const code = block[wrapper];
    if (!isJsonObject(code)) continue;
    const given = { value: code, isText: false, path: `${path}/${wrapper}` };
    found.push({ wrapper, member: '', id: code['id'], name: 'code_execution', given });
  }
  addBlock(found, block, type, path, place, preferred);
  return found.length < 2 ? found : ownFirst(found, preferred);
}

/** Tool definitions use the same members, with a schema instead of arguments. */
const isDefinition = (inner: JsonObject): boolean =>
  !('arguments' in inner || 'input' in inner || 'args' in inner) &&
  ('parameters' in inner || 'description' in inner || 'strict' in inner);

function addWrapped(
  found: Candidate[],
  wrapper: string,
  inner: JsonObject,
  path: string,
  id: unknown,
  preferred: readonly string[],
): void {
  const members = membersOf(inner, ARGUMENTS, wrapper, preferred);
  const { name } = inner;
  if (typeof name !== 'string' && typeof name !== 'number' && members.length === 0) return;
  const wrapped = {
    ...{ wrapper, id: inner['id'] ?? inner['toolUseId'] ?? id },
    name: typeof name === 'string' || typeof name === 'number' ? String(name) : '',
  };
  for (const member of members.length === 0 ? [''] : members)
    found.push({ ...wrapped, member, given: givenIn(inner, member, path, wrapper === 'custom') });
}

function addBlock(
  found: Candidate[],
  block: JsonObject,
  type: string,
  path: string,
  place: Place,
  preferred: readonly string[],
): void {
  const isTyped = isCallType(type);
  const { name } = block;
  const hasName = typeof name === 'string';
  if (!isTyped && (place === 'elsewhere' || !hasName)) return;
  const members = membersOf(block, isTyped ? ITEM_ARGUMENTS : ARGUMENTS, '', preferred);
  const isBare = place === 'calls' && found.length === 0;
  if (!isTyped && !isBare && !members.some((member) => member !== 'parameters')) return;
  const item = {
    ...{ wrapper: '', id: block['call_id'] ?? block['id'] },
    name: hasName ? name : nameOfType(type),
  };
  const isText = type.startsWith('custom') || type === 'code_interpreter_call';
  for (const member of members.length === 0 ? [''] : members)
    found.push({ ...item, member, given: givenIn(block, member, path, isText) });
  // Clients take a named call without arguments as one; those that the provider runs have them in other members.
  if (members.length === 0 && isTyped && hasName) found.push({ ...item, member: REST, given: NOTHING });
}

/** Stands for all members beside those about the call. */
export const REST = '*';
const NOTHING: GivenArguments = { value: undefined, isText: false, path: null };

/** Returns the members with arguments; also that of the own client, which does not look at the others. */
function membersOf(
  inner: JsonObject,
  names: readonly string[],
  wrapper: string,
  preferred: readonly string[],
): string[] {
  const present = names.filter((name) => inner[name] !== undefined && inner[name] !== null);
  if (present.length === 0) return present;
  const own = preferred.find((one) => one.startsWith(`${wrapper}/`))?.slice(wrapper.length + 1);
  return own === undefined || present.includes(own) ? present : [...present, own];
}

function givenIn(inner: JsonObject, member: string, path: string, isText: boolean): GivenArguments {
  if (member === '') return { value: undefined, isText, path: null };
  return { value: inner[member] ?? undefined, isText, path: `${path}/${member}` };
}

/** Sorts by the members that the own client reads; a block of another shape keeps the usual order. */
function ownFirst(found: readonly Candidate[], preferred: readonly string[]): Candidate[] {
  const rank = ({ wrapper, member }: Candidate): number => {
    const exact = preferred.indexOf(`${wrapper}/${member}`);
    if (exact !== -1) return exact;
    const near = preferred.findIndex((one) => one.startsWith(`${wrapper}/`));
    return near === -1 ? preferred.length : near + 0.5;
  };
  return found.toSorted((one, other) => rank(one) - rank(other));
}

export function readCandidate(path: string, { id, name, given }: Candidate): Steps<CallReading[]> {
  return readArguments({ path, id: typeof id === 'string' ? id : null, name }, given);
}

/** Joins readings of one call; those that equal an earlier one are left out. Null: there are none. */
export function joinReadings(readings: readonly CallReading[]): ToolCall | null {
  const [first] = readings;
  if (first === undefined) return null;
  if (readings.length === 1) return { ...first, others: [] };
  const different = new Map<string, CallReading>();
  for (const [at, one] of readings.entries()) {
    const key = keyOf(one, at);
    const same = different.get(key);
    // What one client cannot run as it is written, another one may assemble.
    different.set(
      key,
      same === undefined || same.isWellFormed ? (same ?? one) : { ...same, isWellFormed: one.isWellFormed },
    );
  }
  const [own, ...others] = different.values();
  // Values of calls are found by the path of the call.
  return { ...own!, others: others.map((one, at) => ({ ...one, path: `${own!.path}#${at + 1}` })) };
}

/** Numbers that a double cannot hold are not comparable: such a reading equals no other. */
const keyOf = ({ name, spelling }: CallReading, at: number): string => JSON.stringify([name, spelling ?? at]);
