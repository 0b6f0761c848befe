import {
  type CallReading,
  everyReading,
  spellingOf,
  type ToolCall,
  type WireFormat,
} from '../providers/index.ts';
import { BodyError, isJsonInSteps, matchesTool, type Replacement, type Steps } from '../text/index.ts';
import type { Framing } from './frames.ts';
import { type PlaceholderPosition, PlaceholderText, type RestoreValue } from './placeholder-text.ts';
import { restoreInFrames, restoreInJson, restoreInStream } from './restore-values.ts';
import type { MaskedValue } from './round-trip.ts';
import type { TextGate } from './text-gates.ts';

export interface ValuesToRestore {
  readonly values: ReadonlyMap<string, MaskedValue>;
  /** Types of secrets by the tool for which they are restored. */
  readonly secretTools: Readonly<Record<string, readonly string[]>>;
}

/** A successful response of a provider. */
export interface ResponseToRestore {
  readonly format: WireFormat;
  readonly body: Uint8Array;
  readonly isStream: boolean;
  /** The framing of a stream that is not server-sent events. */
  readonly framing?: Framing | undefined;
  readonly calls: readonly ToolCall[];
}

/**
 * Restores the values of its request in a response: personal data in texts and arguments, secrets only in arguments of
 * tools that the project names, nothing in a URL. All other bytes stay the same. Null: nothing is restored.
 */
export function* restoreBody(toRestore: ValuesToRestore, response: ResponseToRestore): Steps<Buffer | null> {
  if (toRestore.values.size === 0) return null;
  const restore = createRestore(toRestore, response.calls);
  const { buffer, byteOffset, length } = response.body;
  const body = Buffer.from(buffer, byteOffset, length);
  if (response.framing !== undefined) {
    const restored = yield* restoreMessages(restore, response.format, response.framing, body);
    return restored.equals(body) ? null : restored;
  }
  const source = body.toString();
  const restored = yield* restoreText(restore, response, source);
  return restored === source ? null : Buffer.from(restored);
}

function* restoreText(
  restore: RestoreValue,
  { format, isStream }: ResponseToRestore,
  source: string,
): Steps<string> {
  const frames = isStream ? format.readFrames() : null;
  if (frames !== null) return yield* restoreInStream(source, frames, restore);
  if (isStream) return source;
  try {
    return yield* restoreInJson(source, restore, function* (json) {
      return (yield* isJsonInSteps(json)) ? yield* format.readThoughts(JSON.parse(json)) : [];
    });
  } catch (error) {
    // A body in another form contains no positions to restore.
    if (error instanceof BodyError) return source;
    throw error;
  }
}

/** Restores values in a stream whose frames are not server-sent events. */
function* restoreMessages(
  restore: RestoreValue,
  format: WireFormat,
  framing: Framing,
  body: Buffer,
): Steps<Buffer> {
  const frames = format.readFrames();
  if (frames === null) return body;
  const parts: { readonly text: string; readonly source: string; readonly bytes: Buffer }[] = [];
  for (let at = 0; at < body.length; ) {
    const end = framing.endOfFrame(body, at, at);
    const bytes = body.subarray(at, end === -1 ? body.length : end);
    parts.push({ text: framing.read(bytes) ?? '', source: framing.sourceOf(bytes), bytes });
    at += bytes.length;
    yield;
  }
  const restored = yield* restoreInFrames(parts, frames, restore);
  return Buffer.concat(
    parts.map(({ bytes, source }, at) =>
      restored[at] === source ? bytes : framing.rewrite(bytes, restored[at]!),
    ),
  );
}

/** Returns the value for each placeholder; `calls`: those of the whole response, empty while it arrives. */
export function createRestore(
  { values, secretTools }: ValuesToRestore,
  calls: readonly ToolCall[],
): RestoreValue {
  const mayTake = perText((position) => mayTakeSecret(position, calls, secretTools));
  return (position) => {
    const known = values.get(position.placeholder);
    if (known === undefined || position.isInAddress) return null;
    return known.type !== SECRET || mayTake(position) ? known.value : null;
  };
}

const SECRET = 'api_key';

/** The placeholders of one text follow each other. */
function perText(
  work: (position: PlaceholderPosition) => boolean,
): (position: PlaceholderPosition) => boolean {
  let last: { readonly of: PlaceholderPosition; readonly result: boolean } | undefined;
  return (position) => {
    const isSame = last?.of.path === position.path && last.of.callText === position.callText;
    if (!isSame) last = { of: position, result: work(position) };
    return last!.result;
  };
}

function mayTakeSecret(
  position: PlaceholderPosition,
  calls: readonly ToolCall[],
  secretTools: ValuesToRestore['secretTools'],
): boolean {
  const named = Object.entries(secretTools).flatMap(([tool, types]) =>
    types.includes(SECRET) ? [tool] : [],
  );
  const readings = everyReading(calls).filter((one) => isOfCall(position, one));
  return readings.length > 0 && readings.every(({ name }) => matchesTool(name, named));
}

/** Only what stands below the member with the arguments. In a stream several calls may share their arguments. */
function isOfCall({ path, callText }: PlaceholderPosition, call: CallReading): boolean {
  if (path !== null) return call.argumentsPath !== null && `${path}/`.startsWith(`${call.argumentsPath}/`);
  if (callText === null) return false;
  const spelling = spellingOf(callText);
  return spelling !== null && spelling === call.spelling;
}

/** The gates of one text as the provider sent it, and with restored values. */
export interface GatesOfText {
  readonly sent: TextGate;
  readonly restored: TextGate;
}

/**
 * Determines how much of a text with restored values can be released: no byte that is blocked in either version, and no
 * part of a placeholder before its replacement is known.
 */
export class RestoringGate implements TextGate {
  private readonly gates: GatesOfText;
  private readonly text: PlaceholderText;
  private sent = 0;
  private restored = 0;
  /** The number of replacements before the released position, and by how much they lengthened the text. */
  private passed = 0;
  private grownBy = 0;

  constructor(gates: GatesOfText, restore: RestoreValue, isCall: boolean) {
    this.gates = gates;
    this.text = new PlaceholderText(restore, isCall);
  }

  push(piece: string): number {
    this.sent = this.gates.sent.push(piece);
    const decided = this.text.push(piece);
    if (decided !== '') this.restored = this.gates.restored.push(decided);
    return this.released;
  }

  pause(): number {
    this.sent = this.gates.sent.pause();
    this.restored = this.gates.restored.pause();
    return this.released;
  }

  /** Returns the replacements in a released piece that begins at `start`. */
  changesOf(start: number, length: number): Replacement[] {
    return this.text.changesOf(start, length);
  }

  private get released(): number {
    return Math.min(this.sent, this.text.settled, this.placeOfRestored());
  }

  /** Maps the end of the released part of the restored text to the text as sent. */
  private placeOfRestored(): number {
    const { replacements } = this.text;
    for (; this.passed < replacements.length; this.passed++) {
      const { start, end, text } = replacements[this.passed]!;
      const place = this.restored - this.grownBy;
      if (place < start + text.length) return Math.min(place, start);
      this.grownBy += text.length - (end - start);
    }
    return this.restored - this.grownBy;
  }
}
