import type { Unscanned } from '@csg/shared/contract';
import type { TaintedText } from '@csg/shared/flow-control';
import {
  type EncodedFile,
  replacementsByPath,
  type SignedBlock,
  type UnreadPart,
  type WireFormat,
  writeTexts,
} from '@csg/shared/providers';
import type { ValuesToRestore } from '@csg/shared/streaming';
import type { Message, Replacement, TextSlot } from '@csg/shared/text';
import type { FramedMessage } from './read-messages.ts';

/** The body as parsed by the proxy. `bytes` have no content encoding. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json' | 'form' | 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'parts'; readonly bytes: Uint8Array; readonly parts: readonly BodyPart[] }
  /** Protobuf, Connect, gRPC. */
  | { readonly kind: 'messages'; readonly messages: readonly FramedMessage[] }
  /** Images, audio, archives: nothing readable as text. */
  | { readonly kind: 'opaque' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A field or text file of a multipart body; `text` is null for binary parts. */
export interface BodyPart {
  readonly name: string;
  readonly fileName: string | null;
  readonly text: string | null;
}

export interface RequestFacts {
  readonly method: string;
  readonly host: string;
  /** Includes the query. */
  readonly path: string;
  readonly body: RequestBody;
}

export interface RequestReading {
  readonly format: WireFormat | null;
  readonly slots: readonly TextSlot[];
  /** Empty for bodies that are not a conversation. */
  readonly messages: readonly Message[];
  readonly unscanned: readonly (Unscanned & Pick<UnreadPart, 'answeredId'>)[];
  /** PDFs, Office files and archives, which only the service can read. */
  readonly files: readonly EncodedFile[];
  /** Blocks that the provider signed; of a response those that later requests send back. */
  readonly signed: readonly SignedBlock[];
  readonly model: string | null;
  readonly stream: boolean;
  /** The parsed body, which defines tools and names their results; null: it is not JSON. */
  readonly value: unknown;
  /** How a streamed response to it is sent. */
  readonly delivery: Delivery;
  /** Masked values that are restored in the response; null: none. */
  readonly restores: ValuesToRestore | null;
  /** Its passages that give the model instructions, if they are withheld; absent: none. */
  readonly tainted?: readonly TaintedText[];
  /** Why the body could not be read; null on success. */
  readonly problem: string | null;
  /** True if two parsers could read the body differently: it is rejected regardless of the policy. */
  readonly isAmbiguous: boolean;
  /** Applies these replacements (by slot index) to the request; unchanged parts are null. */
  write(replacements: ReadonlyMap<number, readonly Replacement[]>): WrittenRequest;
}

/**
 * `buffered`: evaluated whole before its first byte is sent. `live`: each part is sent once no finding can begin or end
 * in it. `watched`: evaluated piece by piece while it is sent, if nothing marks the end of the stream.
 */
export type Delivery = 'buffered' | 'live' | 'watched';

export interface WrittenRequest {
  readonly path: string | null;
  readonly body: string | Uint8Array | null;
  /** New values of headers, by their place in the list; absent: unchanged. */
  readonly headers?: MaskedHeaders;
}

export type MaskedHeaders = ReadonlyMap<number, string>;

export const UNCHANGED: WrittenRequest = { path: null, body: null };

/** Returns an empty reading with the given members. */
export function newReading(part: Partial<RequestReading>): RequestReading {
  return {
    format: null,
    slots: [],
    messages: [],
    unscanned: [],
    files: [],
    signed: [],
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

/** Masks JSON in its source text: all other characters stay unchanged. */
export function jsonWriter(slots: readonly TextSlot[], source: string): RequestReading['write'] {
  return (replacements) => {
    const byPath = replacementsByPath(slots, replacements);
    return byPath.size === 0 ? UNCHANGED : { path: null, body: writeTexts(source, byPath) };
  };
}
