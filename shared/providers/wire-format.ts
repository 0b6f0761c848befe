import type { Unscanned } from '../contract/index.ts';
import type { Conversation, SlotRole } from '../text/index.ts';
import type { FileMark } from './reading/file-marks.ts';
import type { ToolCall } from './tool-calls/tool-call.ts';

/** The JSON being read, as it is written. Called only where a parser loses digits. */
export type Source = () => string;

/** What a part that was not read can hold. `none`: sealed by the provider, or read in another way. */
export type UnreadContent = 'text' | 'media' | 'none';

export interface UnreadPart extends Unscanned {
  /** Of the string or block that was not read. */
  readonly path: string;
  readonly mayHold: UnreadContent;
}

/** A PDF, Office file or archive as it stands in a body. */
export interface EncodedFile {
  /** Of the string that holds it. */
  readonly path: string;
  /** Of either alphabet. */
  readonly base64: string;
  /** Null where that shows only once it is decoded. */
  readonly mark: FileMark | null;
  /** Its entry in `unscanned`, where reading it takes that away. */
  readonly notice: UnreadPart | null;
}

/** All that a body says. */
export interface ExtractedBody extends Conversation {
  /** Parts that hold no text that could be read; `index` is the message's or input item's, 0 outside of those. */
  readonly unscanned: readonly UnreadPart[];
  /** Listed as unscanned, too: a file reader has to extract their texts. */
  readonly files: readonly EncodedFile[];
  readonly model: string | null;
  /** True only where the request says `"stream": true`; true for every stream that was read. */
  readonly stream: boolean;
}

/** A text that frames go on with, by a number of its own. */
export interface Growth {
  readonly text: number;
  readonly role: SlotRole;
  readonly piece: string;
  /** Of a text that clients show behind another one: the number of that. Null: there is none, though one may come. */
  readonly behind?: number | null;
}

/** What frames add to the texts of their stream. */
export interface FrameTexts {
  readonly grown: readonly Growth[];
  /** Texts that are complete: nothing goes on with them. New labels and identifiers with some of those before them. */
  readonly whole: readonly { readonly role: SlotRole; readonly text: string }[];
  /** True if more was said than that: files, parts that were not read, texts that are read in more than one order. */
  readonly isMore: boolean;
  /** True if they differ from the frame before in one text alone. */
  readonly isAlike: boolean;
}

/** Reads the frames of a stream as they come. After each, the texts are those that `readStream` reads in all of them. */
export interface FrameReader {
  /** `text`: of whole frames, with one kind of line end. */
  read(text: string): FrameTexts;
  /** A text that came in pieces and is complete, with those in it: of JSON its strings are read too. */
  readWhole(role: SlotRole, text: string): Pick<FrameTexts, 'whole' | 'isMore'>;
}

export interface Block {
  /** For people. */
  readonly message: string;
  readonly eventId: string;
  readonly dashboardUrl?: string;
  /** Further members of the error. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Why there is no response, after the head of a stream was sent. */
export interface StreamFailure {
  readonly status: number;
  /** The envelope's member. */
  readonly error: { readonly message: string };
}

/** A refusal, ready to be sent. */
export interface BlockReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * The bodies of one interface: read the texts, say no as its provider would. Redactions are written back by
 * `writeTexts`, which is the same for all. Readers take parsed JSON (text/strict-json) and never change it; the
 * source tells the digits of numbers that are too long for a double.
 */
export interface WireFormat {
  readonly name: string;
  /** Of a page in a browser, which loads what was said once more by other requests. */
  readonly isPage?: true;
  /** Media type of its streams. */
  readonly streamType: string;
  /** Throws BodyError `wrong_shape` if the provider could not find its messages. */
  readRequest(value: unknown, source?: Source): ExtractedBody;
  /** Never throws on odd shapes: what is not known is read as text all the same. */
  readResponse(value: unknown, source?: Source): ExtractedBody;
  /** Null if streams of the format are not read frame by frame. Those of Amazon are read as events with what they say. */
  readFrames(): FrameReader | null;
  /** `body` is the whole accumulated text of a stream. Never throws. */
  readStream(body: string): ExtractedBody;
  /** The calls of tools in the same text. Never throws. */
  readStreamCalls(body: string): readonly ToolCall[];
  /** A rejection, so that the provider's own packages throw their usual error. */
  rejectionOf(block: Block): BlockReply;
  /** The frames that end a blocked stream. `sent`: what of the response has left before. */
  streamBlockOf(block: Block, sent?: string): string;
  /** The frames that end a stream whose response could not be had. */
  streamErrorOf(failure: StreamFailure): string;
}
