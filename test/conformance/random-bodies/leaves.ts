import { type JSONVisitor, visit } from 'jsonc-parser';
import { type ExtractedBody, WORDS } from '../../../shared/providers/index.ts';

/**
 * Collects every string of a parsed value that is not the providers' own word. Member names are left to leavesOfSource:
 * in a process that has parsed many, V8 confuses some names with an escape (shared/text/parse-json.ts).
 */
export function stringsOf(value: unknown, strings = new Set<string>()): Set<string> {
  if (typeof value === 'string') {
    if (value !== '' && !WORDS.values.has(value)) strings.add(value);
  } else if (Array.isArray(value)) {
    for (const item of value) stringsOf(item, strings);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) stringsOf(member, strings);
  }
  return strings;
}

/**
 * Collects every string and member name of JSON source with another parser, which keeps what JSON.parse drops: both of
 * two members with the same name.
 */
export function leavesOfSource(source: string): Set<string> {
  const leaves = new Set<string>();
  const visitor: JSONVisitor = {
    onObjectProperty(name) {
      if (name !== '' && !WORDS.names.has(name)) leaves.add(name);
    },
    onLiteralValue(value) {
      if (typeof value === 'string' && value !== '' && !WORDS.values.has(value)) leaves.add(value);
    },
  };
  visit(source, visitor);
  return leaves;
}

/** Returns leaves that no slot contains. Parts listed as unscanned may be missing if they are not readable text. */
export function unseenOf(leaves: Iterable<string>, reading: ExtractedBody): string[] {
  const texts = new Set(reading.slots.map((slot) => slot.text));
  const all = [...texts].join('\u0001');
  const isSeen = (text: string): boolean => texts.has(text) || all.includes(text);
  return [...leaves].filter((leaf) => {
    if (isSeen(leaf)) return false;
    // A piece of encrypted content or of audio.
    if (reading.stream && reading.unscanned.length > 0 && BASE64.test(leaf)) return false;
    const bytes = bytesIn(leaf);
    if (bytes === null) return true;
    const inside = bytes.toString('utf8');
    // Bytes that are not UTF-8 are read one character each.
    if (isSeen(inside) || isSeen(bytes.toString('latin1'))) return false;
    return reading.unscanned.length === 0 || leaf.length < MIN_OPAQUE || isText(inside);
  });
}

/** Minimum lengths at which readers treat a string as encrypted, and as a file with text in it. */
const MIN_OPAQUE = 128;
const MIN_FILE = 20;

/** Decodes base64, bare or in a data: URL; null if it is not base64, or too short. */
function bytesIn(leaf: string): Buffer | null {
  const body = leaf.replace(/^data:[^,]*,/i, '');
  return leaf.length < MIN_FILE || !BASE64.test(body) ? null : Buffer.from(body, 'base64');
}

const BASE64 = /^[A-Za-z0-9+/=_-]*$/;

const isText = (decoded: string): boolean => !decoded.includes('\ufffd') && !decoded.includes('\0');
