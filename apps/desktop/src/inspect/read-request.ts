import type { Unscanned } from '@csg/shared/contract';
import {
  type BodyDialect,
  findDialect,
  findWebDialect,
  readLeafTexts,
  replacementsByPath,
  writeTexts,
} from '@csg/shared/dialects';
import {
  applyReplacements,
  BodyFault,
  parseStrictJson,
  parseStrictJsonText,
  type Replacement,
  type TextSlot,
} from '@csg/shared/text';
import { replaceBytes } from './replace-bytes.ts';

/** A body as the proxy could take it apart. `bytes` are decoded: no content encoding. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json' | 'form' | 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'parts'; readonly bytes: Uint8Array; readonly parts: readonly BodyPart[] }
  /** Pictures, sound, archives: nothing that could be read as text. */
  | { readonly kind: 'opaque' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A field or text file of a multipart body; `text` is null where it is no text. */
export interface BodyPart {
  readonly name: string;
  readonly fileName: string | null;
  readonly text: string | null;
}

export interface RequestFacts {
  readonly method: string;
  readonly host: string;
  /** With its query. */
  readonly path: string;
  readonly body: RequestBody;
}

export interface RequestReading {
  readonly dialect: BodyDialect | null;
  readonly slots: readonly TextSlot[];
  readonly unscanned: readonly Unscanned[];
  readonly model: string | null;
  readonly stream: boolean;
  /** Why the body could not be read; null where it was. */
  readonly fault: string | null;
  /** The faults of a body that two readers could read differently are no matter of policy: it is refused. */
  readonly isAmbiguous: boolean;
  /** The request with these replacements (by slot index) made; what did not change is null. */
  write(replacements: ReadonlyMap<number, readonly Replacement[]>): WrittenRequest;
}

export interface WrittenRequest {
  readonly path: string | null;
  readonly body: string | Uint8Array | null;
}

const NOTHING: WrittenRequest = { path: null, body: null };
const encoder = new TextEncoder();
const utf8 = new TextDecoder('utf-8');
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** All that a request says. Never throws. */
export function readRequest(facts: RequestFacts): RequestReading {
  const query = readQuery(facts.path);
  const body = readBody(facts);
  if (query.slots.length === 0) return body;
  const shift = body.slots.length;
  return {
    ...body,
    slots: [...body.slots, ...query.slots],
    write(replacements) {
      const own = new Map([...replacements].filter(([index]) => index < shift));
      const rest = new Map(
        [...replacements].filter(([index]) => index >= shift).map(([index, list]) => [index - shift, list]),
      );
      return { body: body.write(own).body, path: query.write(rest) };
    },
  };
}

function reading(part: Partial<RequestReading>): RequestReading {
  return {
    dialect: null,
    slots: [],
    unscanned: [],
    model: null,
    stream: false,
    fault: null,
    isAmbiguous: false,
    write: () => NOTHING,
    ...part,
  };
}

function readBody(facts: RequestFacts): RequestReading {
  const { body } = facts;
  switch (body.kind) {
    case 'none':
      return reading({});
    case 'opaque':
      return reading({
        unscanned: [{ index: 0, reason: 'unsupported_type', detail: 'The body is no text.' }],
      });
    case 'unreadable':
      return reading({ dialect: dialectOf(facts), fault: body.reason });
    case 'json':
      return readJson(facts, body.bytes);
    case 'form':
      return { ...readForm(body.bytes), dialect: dialectOf(facts) };
    case 'text':
      return readPlain(body.bytes);
    case 'parts':
      return { ...readParts(body.bytes, body.parts), dialect: dialectOf(facts) };
  }
}

/** By host; a host that only the configuration knows speaks what its paths say. */
function dialectOf({ method, host, path }: RequestFacts): BodyDialect | null {
  return (
    findDialect({ method, host, path }) ??
    findWebDialect({ method, host, path }) ??
    findDialect({ method, path }) ??
    null
  );
}

function readJson(facts: RequestFacts, bytes: Uint8Array): RequestReading {
  const dialect = dialectOf(facts);
  try {
    const { value, source } = parseStrictJson(bytes);
    const read = readAs(dialect, value);
    return reading({ dialect: read.dialect, ...read.body, write: jsonWriter(read.body.slots, source) });
  } catch (fault) {
    if (!(fault instanceof BodyFault)) throw fault;
    // Odd as it is, whoever takes it will find these texts in it.
    const loose = dialect === null ? readLines(bytes) : null;
    if (loose !== null && fault.reason === 'not_json') return loose;
    return reading({
      dialect,
      slots: loose?.slots ?? [],
      fault: fault.message,
      isAmbiguous: dialect !== null,
    });
  }
}

function readAs(
  dialect: BodyDialect | null,
  value: unknown,
): { dialect: BodyDialect | null; body: ReturnType<typeof readLeafTexts> } {
  if (dialect !== null) {
    try {
      return { dialect, body: dialect.readRequest(value) };
    } catch (fault) {
      if (!(fault instanceof BodyFault) || fault.reason !== 'wrong_shape') throw fault;
    }
  }
  return { dialect, body: readLeafTexts(value) };
}

function jsonWriter(slots: readonly TextSlot[], source: string): RequestReading['write'] {
  return (replacements) => {
    const byPath = replacementsByPath(slots, replacements);
    return byPath.size === 0 ? NOTHING : { path: null, body: writeTexts(source, byPath) };
  };
}

/** JSON, one value a line, as telemetry and some chat pages send it; otherwise one plain text. */
function readLines(bytes: Uint8Array): RequestReading {
  const lines = utf8.decode(bytes).split('\n');
  const values: unknown[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    try {
      values.push(parseStrictJsonText(line));
    } catch {
      return readPlain(bytes);
    }
  }
  const { slots, unscanned } = readLeafTexts(values);
  const full = lines.filter((line) => line.trim() !== '');
  const writer = jsonWriter(slots, `[${full.join(',\n')}]`);
  return reading({
    slots,
    unscanned,
    write(replacements) {
      const { body } = writer(replacements);
      // Literals hold no line break, so the lines are the values still.
      return typeof body !== 'string'
        ? NOTHING
        : { path: null, body: `${body.slice(1, -1).replaceAll(',\n', '\n')}\n` };
    },
  });
}

function readPlain(bytes: Uint8Array): RequestReading {
  let text: string;
  try {
    text = strictUtf8.decode(bytes);
  } catch {
    return reading({ fault: 'The body is no text in UTF-8.' });
  }
  return reading({
    slots: text.trim() === '' ? [] : [{ path: '#text', role: 'user', text }],
    write: (replacements) => ({ path: null, body: applyReplacements(text, replacements.get(0) ?? []) }),
  });
}

interface Field {
  readonly name: string;
  readonly slots: readonly TextSlot[];
  readonly write: RequestReading['write'];
}

/** A field may hold a whole JSON document: Gemini's web app sends every prompt so. */
function readField(name: string, text: string): Field {
  if (/^\s*[[{]/.test(text)) {
    try {
      const { slots } = readLeafTexts(parseStrictJsonText(text));
      return { name, slots, write: jsonWriter(slots, text) };
    } catch {
      // Plain text, then.
    }
  }
  const slots: TextSlot[] = text.trim() === '' ? [] : [{ path: `#field/${name}`, role: 'user', text }];
  return {
    name,
    slots,
    write: (replacements) => ({ path: null, body: applyReplacements(text, replacements.get(0) ?? []) }),
  };
}

/** The replacements of one field out of those of all. */
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

function readForm(bytes: Uint8Array): RequestReading {
  const params = [...new URLSearchParams(utf8.decode(bytes))];
  const fields = params.map(([name, value]) => readField(name, value));
  return reading({
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

function readParts(bytes: Uint8Array, parts: readonly BodyPart[]): RequestReading {
  const fields = parts.map((part) => readField(part.fileName ?? part.name, part.text ?? ''));
  const opaque = parts.filter((part) => part.text === null);
  return reading({
    slots: fields.flatMap((field) => field.slots),
    unscanned: opaque.map(() => ({
      index: 0,
      reason: 'unsupported_type',
      detail: 'A file that is no text.',
    })),
    write(replacements) {
      let written = bytes;
      let first = 0;
      for (const [i, field] of fields.entries()) {
        const own = within(replacements, first, field.slots.length);
        first += field.slots.length;
        const changed = own.size > 0 ? field.write(own).body : null;
        // Parts stand in a multipart body as they are, so the text is found where it stood.
        if (typeof changed === 'string') {
          written = replaceBytes(written, encoder.encode(parts[i]!.text!), encoder.encode(changed));
        }
      }
      return { path: null, body: written === bytes ? null : written };
    },
  });
}

/** Parameters that chat pages take a prompt from. */
const PROMPT_PARAMETERS: ReadonlySet<string> = new Set([
  'q',
  'query',
  'prompt',
  'text',
  'input',
  'message',
  'question',
]);

function readQuery(path: string): {
  slots: readonly TextSlot[];
  write: (replacements: ReadonlyMap<number, readonly Replacement[]>) => string | null;
} {
  const at = path.indexOf('?');
  if (at === -1) return { slots: [], write: () => null };
  const params = new URLSearchParams(path.slice(at + 1));
  const slots: TextSlot[] = [];
  for (const [name, text] of params) {
    if (PROMPT_PARAMETERS.has(name) && text.length > 5)
      slots.push({ path: `#query/${name}`, role: 'user', text });
  }
  return {
    slots,
    write(replacements) {
      if (replacements.size === 0) return null;
      const written = new URLSearchParams();
      let index = 0;
      for (const [name, text] of params) {
        const isSlot = PROMPT_PARAMETERS.has(name) && text.length > 5;
        written.append(name, isSlot ? applyReplacements(text, replacements.get(index++) ?? []) : text);
      }
      return `${path.slice(0, at)}?${written}`;
    },
  };
}
