import {
  type CallReading,
  everyReading,
  type PlaceholderPosition,
  type RestoreValue,
  restoreInJson,
  restoreInStream,
  spellingOf,
  type ToolCall,
  type WireFormat,
} from '../providers/index.ts';
import { matchesTool } from '../text/index.ts';
import type { MaskedValue } from './round-trip.ts';

export interface ValuesToRestore {
  readonly values: ReadonlyMap<string, MaskedValue>;
  /** Types of secrets by the tool for which they are restored. */
  readonly secretTools: Readonly<Record<string, readonly string[]>>;
}

/**
 * Restores the values of its request in a response: personal data in texts and arguments, secrets only in arguments of
 * tools that the project names, nothing in a URL. All other bytes stay the same.
 */
export function restoreResponse(
  toRestore: ValuesToRestore,
  {
    format,
    body,
    isStream,
    calls,
  }: {
    readonly format: WireFormat;
    readonly body: string;
    readonly isStream: boolean;
    readonly calls: readonly ToolCall[];
  },
): string {
  const restore = createRestore(toRestore, calls);
  if (!isStream) return restoreInJson(body, restore);
  const frames = format.readFrames();
  return frames === null ? body : restoreInStream(body, frames, restore);
}

/** Returns the value for each placeholder; `calls`: those of the whole response, empty while it arrives. */
export function createRestore(
  { values, secretTools }: ValuesToRestore,
  calls: readonly ToolCall[],
): RestoreValue {
  return (position) => {
    const known = values.get(position.placeholder);
    if (known === undefined || isInAddress(position)) return null;
    return known.type !== SECRET || mayTakeSecret(position, calls, secretTools) ? known.value : null;
  };
}

const SECRET = 'api_key';

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

const SCHEME = /(?:\/\/|\\\/\\\/|\b(?:mailto|tel|sms|data|javascript|ftp|file|blob|www)[:.])/i;
/** Characters that join a value to a URL before it, or after it. */
const JOINED_BEFORE = /(?:[/?&#%@.]|[?&][\w.%-]{0,40}=)$/;
const JOINED_AFTER = /^(?:[/?&#%@]|\.[a-z0-9])/i;
const REFERENCE = /^\s{0,3}\[[^\]]{1,80}\]:/;

const ENDS_WORD = /[\s"'<>]/;

/** Returns the start of the last word; a regular expression would try every position before it. */
function wordStart(text: string): number {
  let at = text.length;
  while (at > 0 && !ENDS_WORD.test(text[at - 1]!)) at--;
  return at;
}

/** True within a URL or host, and in any position of one: links, images, tags. */
function isInAddress({ before, after }: PlaceholderPosition): boolean {
  const word = before.slice(wordStart(before));
  if (SCHEME.test(word) || JOINED_BEFORE.test(before) || JOINED_AFTER.test(after)) return true;
  const isOpen = (start: string, end: string): boolean => {
    const at = before.lastIndexOf(start);
    return at !== -1 && !before.includes(end, at + start.length);
  };
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return isOpen('](', ')') || isOpen('url(', ')') || isOpen('<', '>') || REFERENCE.test(line);
}
