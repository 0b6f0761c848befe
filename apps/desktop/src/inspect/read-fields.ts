import { readLeafTexts } from '@csg/shared/providers';
import { applyReplacements, parseStrictJsonText, type Replacement, type TextSlot } from '@csg/shared/text';
import { type BodyPart, jsonWriter, newReading, type RequestReading } from './request-reading.ts';

const encoder = new TextEncoder();
const utf8 = new TextDecoder('utf-8');

interface Field {
  readonly name: string;
  readonly slots: readonly TextSlot[];
  readonly write: RequestReading['write'];
}

/** A field may contain a whole JSON document: Gemini's web app sends every prompt this way. */
function readField(name: string, text: string): Field {
  if (/^\s*[[{]/.test(text)) {
    try {
      const { slots } = readLeafTexts(parseStrictJsonText(text), 'user', () => text);
      return { name, slots, write: jsonWriter(slots, text) };
    } catch {
      // Not JSON: read as plain text.
    }
  }
  const slots: TextSlot[] = text.trim() === '' ? [] : [{ path: `#field/${name}`, role: 'user', text }];
  return {
    name,
    slots,
    write: (replacements) => ({ path: null, body: applyReplacements(text, replacements.get(0) ?? []) }),
  };
}

/** Selects the replacements of one field from those of all. */
function within(
  replacements: ReadonlyMap<number, readonly Replacement[]>,
  first: number,
  count: number,
): Map<number, readonly Replacement[]> {
  const own = new Map<number, readonly Replacement[]>();
  for (const [index, list] of replacements) {
    if (index >= first && index < first + count) own.set(index - first, list);
  }
  return own;
}

/** Reads a form body: `a=1&b=2`. */
export function readForm(bytes: Uint8Array): RequestReading {
  const params = [...new URLSearchParams(utf8.decode(bytes))];
  const fields = params.map(([name, value]) => readField(name, value));
  return newReading({
    slots: fields.flatMap((field) => field.slots),
    write(replacements) {
      const written = new URLSearchParams();
      let first = 0;
      for (const [i, field] of fields.entries()) {
        const own = within(replacements, first, field.slots.length);
        first += field.slots.length;
        const changed = own.size > 0 ? field.write(own).body : null;
        written.append(field.name, typeof changed === 'string' ? changed : params[i]![1]);
      }
      return { path: null, body: written.toString() };
    },
  });
}

/** Reads a multipart body: fields, text files, and binary parts. */
export function readParts(bytes: Uint8Array, parts: readonly BodyPart[]): RequestReading {
  const fields = parts.map((part) => readField(part.fileName ?? part.name, part.text ?? ''));
  const opaque = parts.filter((part) => part.text === null);
  return newReading({
    slots: fields.flatMap((field) => field.slots),
    unscanned: opaque.map(() => ({
      index: 0,
      reason: 'unsupported_type',
      detail: 'A file that is not text.',
    })),
    write(replacements) {
      let written = bytes;
      let first = 0;
      for (const [i, field] of fields.entries()) {
        const own = within(replacements, first, field.slots.length);
        first += field.slots.length;
        const changed = own.size > 0 ? field.write(own).body : null;
        // A multipart body contains its parts verbatim, so the text can be found by its bytes.
        if (typeof changed === 'string') {
          written = replaceBytes(written, encoder.encode(parts[i]!.text!), encoder.encode(changed));
        }
      }
      return { path: null, body: written === bytes ? null : written };
    },
  });
}

/** Replaces every occurrence of `from` in `bytes` with `to`. Returns the same array if there is none. */
export function replaceBytes(bytes: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const positions = positionsOf(bytes, from);
  if (positions.length === 0) return bytes;
  const written = new Uint8Array(bytes.length + positions.length * (to.length - from.length));
  let read = 0;
  let at = 0;
  for (const position of positions) {
    written.set(bytes.subarray(read, position), at);
    at += position - read;
    written.set(to, at);
    at += to.length;
    read = position + from.length;
  }
  written.set(bytes.subarray(read), at);
  return written;
}

function positionsOf(bytes: Uint8Array, wanted: Uint8Array): number[] {
  const positions: number[] = [];
  const first = wanted[0];
  if (first === undefined) return positions;
  let at = bytes.indexOf(first);
  while (at !== -1) {
    let length = 1;
    while (length < wanted.length && bytes[at + length] === wanted[length]) length++;
    if (length === wanted.length) positions.push(at);
    at = bytes.indexOf(first, length === wanted.length ? at + length : at + 1);
  }
  return positions;
}
