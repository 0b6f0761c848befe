import type { Steps } from '../../text/index.ts';
import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import { type CallReading, readArguments } from './tool-call.ts';

interface PartialCall {
  readonly path: string;
  readonly id: string | null;
  readonly name: string;
  readonly given: JsonObject;
}

/**
 * Calls of Gemini whose arguments arrive in pieces, each with its JSON path. A part with a name opens a call; parts
 * without one continue the last call that is open.
 */
export class PartialCalls {
  private readonly calls: PartialCall[] = [];
  /** Those that are open in each candidate of the answer. */
  private readonly candidates = new Map<string, PartialCall[]>();

  /** Returns true if the part is a piece of a call, with no arguments of its own. */
  read(part: JsonObject, path: string): boolean {
    const call = part['functionCall'] ?? part['function_call'];
    if (!isJsonObject(call)) return false;
    const { pieces, goesOn } = piecesOf(call);
    const open = this.openAt(path);
    if (typeof call['name'] === 'string' && (pieces !== null || goesOn)) this.begin(call, path, open);
    else if (pieces === null) {
      if (isEnd(call)) open.pop();
      return false;
    }
    const isComplete = addPieces(open.at(-1), pieces ?? []);
    if (isComplete && !goesOn) open.pop();
    return (call['args'] ?? null) === null;
  }

  private begin({ name, id }: JsonObject, path: string, open: PartialCall[]): void {
    const call = { path, id: typeof id === 'string' ? id : null, name: String(name), given: {} };
    this.calls.push(call);
    open.push(call);
  }

  private openAt(path: string): PartialCall[] {
    const candidate = CANDIDATE.exec(path)?.[1] ?? '';
    const open = this.candidates.get(candidate) ?? [];
    this.candidates.set(candidate, open);
    return open;
  }

  *finish(): Steps<CallReading[][]> {
    const readings: CallReading[][] = [];
    for (const call of this.calls)
      readings.push(yield* readArguments(call, { value: call.given, isText: false, path: null }));
    return readings;
  }
}

function piecesOf(call: JsonObject): { pieces: JsonObject[] | null; goesOn: boolean } {
  const given = call['partialArgs'] ?? call['partial_args'];
  const goesOn = call['willContinue'] === true || call['will_continue'] === true;
  return { pieces: Array.isArray(given) ? given.filter(isJsonObject) : null, goesOn };
}

const isEnd = ({ name, args, willContinue }: JsonObject): boolean =>
  [name, args, willContinue].every((one) => one === undefined || one === null);

const CANDIDATE = /\/candidates\/(\d+)\//;

/** A path is at most as deep as JSON that is read. */
const MAX_DEPTH = 60;
const STEP = /\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]|([^.[\]]+)/g;

/** Returns false if one of the pieces goes on. */
function addPieces(call: PartialCall | undefined, pieces: readonly JsonObject[]): boolean {
  if (call !== undefined) for (const piece of pieces) addPiece(call.given, piece);
  return pieces.every((piece) => piece['willContinue'] !== true);
}

function addPiece(given: JsonObject, piece: JsonObject): void {
  const path = piece['jsonPath'] ?? piece['json_path'];
  if (typeof path !== 'string') return;
  const isList = path.endsWith('[]');
  const steps = stepsOf(isList ? path.slice(0, -2) : path);
  if (steps.length === 0 || steps.length > MAX_DEPTH || !hasPlace(given, steps)) return;
  const last = steps.at(-1)!;
  const inner = reach(given, steps);
  if (inner === null) return;
  const before = valueAt(inner, last);
  const value = givenBy(piece);
  if (typeof value === 'string' && before !== undefined) setAt(inner, last, String(before) + value);
  else if (value !== undefined) setAt(inner, last, value);
  else if (before === undefined && piece['willContinue'] !== true) setAt(inner, last, isList ? [] : {});
}

const VALUES = ['stringValue', 'string_value', 'numberValue', 'number_value', 'boolValue', 'bool_value'];

function givenBy(piece: JsonObject): unknown {
  const given = VALUES.map((name) => piece[name]).find((value) => value !== undefined && value !== null);
  return given ?? ('nullValue' in piece || 'null_value' in piece ? null : undefined);
}

/** Lists grow by one item at a time: an index far behind their end would cost as much memory as the sender likes. */
function hasPlace(given: JsonObject, steps: readonly (string | number)[]): boolean {
  let inner: unknown = given;
  return steps.every((step) => {
    const length = Array.isArray(inner) ? inner.length : isJsonObject(inner) ? Number.POSITIVE_INFINITY : 0;
    const index = Array.isArray(inner) || typeof step === 'number' ? Number(step) : 0;
    inner = valueAt(inner, step);
    return index >= 0 && index <= length;
  });
}

/** Returns what holds the last step, with all before it; null: a step leads into a value that holds nothing. */
function reach(given: JsonObject, steps: readonly (string | number)[]): JsonObject | null {
  let inner: unknown = given;
  for (const [at, step] of steps.slice(0, -1).entries()) {
    const found = valueAt(inner, step) ?? setAt(inner, step, typeof steps[at + 1] === 'number' ? [] : {});
    if (typeof found !== 'object') return null;
    inner = found;
  }
  return inner as JsonObject;
}

function stepsOf(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const [, index, one, other, name] of path.replace(/^\$/, '').matchAll(STEP))
    steps.push(index === undefined ? (one ?? other ?? name ?? '') : Number(index));
  return steps;
}

const valueAt = (inner: unknown, step: string | number): unknown =>
  typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
    ? (inner as JsonObject)[String(step)]
    : undefined;

/** Defined, not assigned: `__proto__` is a name like any other. */
function setAt(inner: unknown, step: string | number, value: unknown): unknown {
  const member = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(inner as object, step, member);
  return value;
}
