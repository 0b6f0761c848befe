import type { Unscanned } from '@csg/shared/contract';
import { type EncodedFile, replacementsByPath, type WireFormat, writeTexts } from '@csg/shared/providers';
import type { ValuesToRestore } from '@csg/shared/release';
import type { Message, Replacement, TextSlot } from '@csg/shared/text';
import type { FramedMessage } from './read-messages.ts';

/** A body as the proxy could take it apart. `bytes` are decoded: no content encoding. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json' | 'form' | 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'parts'; readonly bytes: Uint8Array; readonly parts: readonly BodyPart[] }
  /** Protobuf, Connect, gRPC. */
  | { readonly kind: 'messages'; readonly messages: readonly FramedMessage[] }
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
  readonly format: WireFormat | null;
  readonly slots: readonly TextSlot[];
  /** Empty for bodies that are no conversation. */
  readonly messages: readonly Message[];
  readonly unscanned: readonly Unscanned[];
  /** PDFs, Office files and archives, which only the service can read. */
  readonly files: readonly EncodedFile[];
  readonly model: string | null;
  readonly stream: boolean;
  /** The body as a value, which defines tools and names their results; null: it is no JSON. */
  readonly value: unknown;
  /** How a streamed response to it leaves. */
  readonly delivery: Delivery;
  /** What was masked in it and is put back into the response; null: nothing. */
  readonly restores: ValuesToRestore | null;
  /** Why the body could not be read; null where it was. */
  readonly problem: string | null;
  /** The faults of a body that two readers could read differently are no matter of policy: it is refused. */
  readonly isAmbiguous: boolean;
  /** The request with these replacements (by slot index) made; what did not change is null. */
  write(replacements: ReadonlyMap<number, readonly Replacement[]>): WrittenRequest;
}

/**
 * `buffered`: evaluated whole before its first byte leaves. `live`: each part once no finding can begin or end in it.
 * `watched`: piece by piece while it passes, where nothing says that the stream ends.
 */
export type Delivery = 'buffered' | 'live' | 'watched';

export interface WrittenRequest {
  readonly path: string | null;
  readonly body: string | Uint8Array | null;
}

export const UNCHANGED: WrittenRequest = { path: null, body: null };

/** A reading with nothing in it but what is named. */
export function newReading(part: Partial<RequestReading>): RequestReading {
  return {
    format: null,
    slots: [],
    messages: [],
    unscanned: [],
    files: [],
    model: null,
    stream: false,
    value: null,
    delivery: 'watched',
    restores: null,
    problem: null,
    isAmbiguous: false,
    write: () => UNCHANGED,
    ...part,
  };
}

/** Masks JSON in its source: every other character stays. */
export function jsonWriter(slots: readonly TextSlot[], source: string): RequestReading['write'] {
  return (replacements) => {
    const byPath = replacementsByPath(slots, replacements);
    return byPath.size === 0 ? UNCHANGED : { path: null, body: writeTexts(source, byPath) };
  };
}
