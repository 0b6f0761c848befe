import { findEndpoint, formatOf, readLeafTexts, type WireFormat } from '@csg/shared/providers';
import {
  applyReplacements,
  BodyError,
  parseStrictJson,
  parseStrictJsonText,
  type Replacement,
  type TextSlot,
} from '@csg/shared/text';
import { readForm, readParts } from './read-fields.ts';
import { type FramedMessage, messageTexts } from './read-messages.ts';
import {
  jsonWriter,
  newReading,
  type RequestFacts,
  type RequestReading,
  UNCHANGED,
} from './request-reading.ts';

const utf8 = new TextDecoder('utf-8');
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads all texts of a request. Never throws. */
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

function readBody(facts: RequestFacts): RequestReading {
  const { body } = facts;
  switch (body.kind) {
    case 'none':
      return newReading({});
    case 'opaque':
      return newReading({
        unscanned: [{ index: 0, reason: 'unsupported_type', detail: 'The body is not text.' }],
      });
    case 'unreadable':
      return newReading({ format: requestFormatOf(facts), problem: body.reason });
    case 'json':
      return readJson(facts, body.bytes);
    case 'form':
      return { ...readForm(body.bytes), format: requestFormatOf(facts) };
    case 'text':
      return readPlain(body.bytes);
    case 'messages':
      return readMessages(body.messages);
    case 'parts':
      return { ...readParts(body.bytes, body.parts), format: requestFormatOf(facts) };
  }
}

/** Finds the format by host, or for a host that only the configuration knows, by path. */
function requestFormatOf({ method, host, path }: RequestFacts): WireFormat | null {
  const endpoint = findEndpoint({ method, host, path }) ?? findEndpoint({ method, path });
  return endpoint === undefined ? null : formatOf(endpoint);
}

function readJson(facts: RequestFacts, bytes: Uint8Array): RequestReading {
  const format = requestFormatOf(facts);
  try {
    const { value, source } = parseStrictJson(bytes);
    const read = readAs(format, value, source);
    return newReading({
      format: read.format,
      value,
      ...read.body,
      write: jsonWriter(read.body.slots, source),
    });
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    // A lenient receiver that accepts the body finds these texts in it.
    const loose = format === null ? readLines(bytes) : null;
    if (loose !== null && error.reason === 'not_json') return loose;
    return newReading({
      format,
      slots: loose?.slots ?? [],
      problem: error.message,
      isAmbiguous: format !== null,
    });
  }
}

function readAs(
  format: WireFormat | null,
  value: unknown,
  source: string,
): { format: WireFormat | null; body: ReturnType<typeof readLeafTexts> } {
  if (format !== null) {
    try {
      return { format, body: format.readRequest(value, () => source) };
    } catch (error) {
      if (!(error instanceof BodyError) || error.reason !== 'wrong_shape') throw error;
    }
  }
  return { format, body: readLeafTexts(value, 'user', () => source) };
}

/** Reads JSON with one value per line, as telemetry and some chat pages send it; otherwise one plain text. */
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
  const full = lines.filter((line) => line.trim() !== '');
  const source = `[${full.join(',\n')}]`;
  const { slots, unscanned } = readLeafTexts(values, 'user', () => source);
  const writer = jsonWriter(slots, source);
  return newReading({
    slots,
    unscanned,
    write(replacements) {
      const { body } = writer(replacements);
      // JSON literals contain no line breaks, so each line is still one value.
      return typeof body !== 'string'
        ? UNCHANGED
        : { path: null, body: `${body.slice(1, -1).replaceAll(',\n', '\n')}\n` };
    },
  });
}

/** Reads messages that are never rewritten: text to be masked is blocked. */
function readMessages(messages: readonly FramedMessage[]): RequestReading {
  const read = messages.map(messageTexts);
  const problem = read.includes(null) ? 'A message could not be parsed.' : null;
  const whole = read.filter((message) => message !== null);
  return newReading({
    slots: whole.flatMap(({ texts }) =>
      texts.map(({ path, text }) => ({ path: `#message${path}`, role: 'user' as const, text })),
    ),
    unscanned: whole
      .filter(({ hasBytes }) => hasBytes)
      .map(() => ({ index: 0, reason: 'unsupported_type', detail: 'A field that is not text.' })),
    problem,
  });
}

function readPlain(bytes: Uint8Array): RequestReading {
  let text: string;
  try {
    text = strictUtf8.decode(bytes);
  } catch {
    return newReading({ problem: 'The body is not UTF-8 text.' });
  }
  return newReading({
    slots: text.trim() === '' ? [] : [{ path: '#text', role: 'user', text }],
    write: (replacements) => ({ path: null, body: applyReplacements(text, replacements.get(0) ?? []) }),
  });
}

/** Query parameters in which chat pages take a prompt. */
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
