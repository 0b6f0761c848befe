import { createParser } from 'eventsource-parser';
import { pausing, type Steps } from '../../text/index.ts';
import type { IdPlace, StoredContent } from '../tables.ts';
import type { UnreadPart } from '../wire-format.ts';
import { childPointer } from './path.ts';
import { piecesOf } from './read-stream.ts';
import { isJsonObject, type JsonObject } from './text-collector.ts';

/** An id in a body. */
interface Id {
  readonly id: string;
  readonly path: string;
}

/** Returns the content that a request names by its id at the provider: no text of it is in the body. */
export function readStoredContent(body: JsonObject, rows: readonly StoredContent[]): UnreadPart[] {
  return rows.flatMap((row) =>
    idsAt(body, row).map(({ id, path }) => ({
      index: Number(/^\/\w+\/(\d+)/.exec(path)?.[1] ?? 0),
      reason: 'stored_with_provider' as const,
      detail: `${path}: stored with the provider; not read.`,
      path,
      mayHold: row.mayHold ?? 'text',
      ...(row.isReadIfAnswered === true && { answeredId: id }),
    })),
  );
}

/** Returns the ids by which later requests name a response and its parts. */
export function readIds(body: unknown, places: readonly IdPlace[]): string[] {
  if (!isJsonObject(body)) return [];
  return [...new Set(places.flatMap((place) => idsAt(body, place).map(({ id }) => id)))];
}

/** Returns the ids in the frames of a stream. Only frames with one of the types in their text are parsed. */
export function* readStreamIds(
  body: string,
  placesByType: Readonly<Record<string, readonly IdPlace[]>> = {},
): Steps<string[]> {
  const types = Object.keys(placesByType).filter((type) => body.includes(type));
  if (types.length === 0) return [];
  const found = new Set<string>();
  const parser = createParser({
    onEvent({ data }) {
      if (!types.some((type) => data.includes(type))) return;
      const frame = frameOf(data);
      const places = isJsonObject(frame) ? placesByType[String(frame['type'])] : undefined;
      for (const id of readIds(frame, places ?? [])) found.add(id);
    },
  });
  yield* pausing(piecesOf(body), (piece) => parser.feed(piece), 1);
  parser.feed('\n\n');
  return [...found];
}

function frameOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/** A value on the way to the ids. */
interface Found {
  readonly value: unknown;
  readonly path: string;
  /** The object that it is a member of, or that has its list. */
  readonly holder: JsonObject;
}

function idsAt(body: JsonObject, { at, only }: IdPlace): Id[] {
  let found: Found[] = [{ value: body, path: '', holder: body }];
  for (const step of at.split('/')) found = found.flatMap((one) => membersOf(one, step));
  return found.flatMap(({ value, path, holder }) => {
    const isId = typeof value === 'string' && value !== '';
    return isId && (only === undefined || only(holder)) ? [{ id: value, path }] : [];
  });
}

function membersOf({ value, path, holder }: Found, step: string): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = value as JsonObject;
  const names = step === '*' ? Object.keys(members) : Object.hasOwn(members, step) ? [step] : [];
  const within = Array.isArray(value) ? holder : members;
  return names.map((name) => ({ value: members[name], path: childPointer(path, name), holder: within }));
}
