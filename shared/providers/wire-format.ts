import type { Unscanned } from '../contract/index.ts';
import type { Conversation, SlotRole, Steps } from '../text/index.ts';
import type { FileMark } from './reading/file-marks.ts';
import type { ToolCall } from './tool-calls/tool-call.ts';

/** Returns the JSON being read as written. Called only if a parser loses digits. */
export type Source = () => string;

/** The possible content of an unread part. `none`: encrypted by the provider, or read in another way. */
export type UnreadContent = 'text' | 'media' | 'none';

export interface UnreadPart extends Unscanned {
  /** Path of the string or block that was not read. */
  readonly path: string;
  readonly mayHold: UnreadContent;
  /** The provider's id of a response, or of a part of one, that this service has read if it evaluated the response. */
  readonly answeredId?: string;
}

/** A PDF, Office file or archive as encoded in a body. */
export interface EncodedFile {
  /** Path of its string. */
  readonly path: string;
  /** In either base64 alphabet. */
  readonly base64: string;
  /** Of every format that it may be; none if it is only recognizable after decoding. */
  readonly marks: readonly FileMark[];
  /** Its entry in `unscanned`, which is removed once it was read. */
  readonly notice: UnreadPart | null;
}

/** A block of the model that its provider signed: any change of it would be rejected. */
export interface SignedBlock {
  /** JSON pointer of the block; of a stream, where it was read. */
  readonly path: string;
  /** The signature; empty if it has none of its own. */
  readonly seal: string;
  /** Its texts, the signature among them. */
  readonly texts: readonly string[];
}

/** All texts of a body. */
export interface ExtractedBody extends Conversation {
  /** Parts without readable text; `index` is that of the message or input item, 0 outside of those. */
  readonly unscanned: readonly UnreadPart[];
  /** Also listed as unscanned: a file reader has to extract their texts. */
  readonly files: readonly EncodedFile[];
  readonly signed: readonly SignedBlock[];
  readonly model: string | null;
  /** True only if the request contains `"stream": true`; true for every stream that was read. */
  readonly stream: boolean;
}

/** A text that frames continue, identified by its number. */
export interface Growth {
  readonly text: number;
  readonly role: SlotRole;
  readonly piece: string;
  /** The number of the text after which clients show this one. Null: there is none yet. */
  readonly behind?: number | null;
  /** What the model thinks, which goes on as it wrote it. */
  readonly isThought?: true;
}

/** Additions of frames to the texts of their stream. */
export interface FrameTexts {
  readonly grown: readonly Growth[];
  /** Complete texts, which are not continued. New labels and identifiers come with some of the previous ones. */
  readonly whole: readonly { readonly role: SlotRole; readonly text: string }[];
  /** True if the frames contain more: files, unread parts, texts that are read in more than one order. */
  readonly isMore: boolean;
  /** True if they differ from the previous frame in one text alone. */
  readonly isAlike: boolean;
  /** Pointers of what the model thinks in the frames, or their ends. An empty one: everything. */
  readonly thoughts: readonly string[];
}

/** Reads the frames of a stream as they arrive. After each, the texts equal those of `readStream` for all of them. */
export interface FrameReader {
  /** `text`: complete frames, with normalized line ends. */
  read(text: string): FrameTexts;
  /** Reads a text that arrived in pieces and is complete, and for JSON also its strings. */
  readWhole(role: SlotRole, text: string): Pick<FrameTexts, 'whole' | 'isMore'>;
}

export interface Block {
  /** Shown to users. */
  readonly message: string;
  readonly eventId: string;
  readonly dashboardUrl?: string;
  /** Additional members of the error. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Why the response failed after the head of a stream was sent. */
export interface StreamFailure {
  readonly status: number;
  /** The envelope's `error` member. */
  readonly error: { readonly message: string; readonly [field: string]: unknown };
}

/** A block response, ready to be sent. */
export interface BlockReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * The bodies of one interface: reads the texts, and rejects as its provider would. Redactions are written back by
 * `writeTexts`, which is the same for all. Readers take parsed JSON (text/strict-json) and never change it; the source
 * provides the digits of numbers that are too long for a double.
 */
export interface WireFormat {
  readonly name: string;
  /** True for a page in a browser, which loads earlier messages again with other requests. */
  readonly isPage?: true;
  /** Media type of its streams. */
  readonly streamType: string;
  /** Throws BodyError `wrong_shape` if the provider could not find its messages. */
  readRequest(value: unknown, source?: Source): ExtractedBody;
  readRequestInSteps(value: unknown, source?: Source): Steps<ExtractedBody>;
  /** Never throws on unknown shapes: they are read as text. */
  readResponse(value: unknown, source?: Source): ExtractedBody;
  /** Null if streams of the format are not read by frame. Those of Amazon are read as events with their payload. */
  readFrames(): FrameReader | null;
  /** Returns the pointers of what the model thinks in a response, whole or a list of frames. Never throws. */
  readThoughts(value: unknown): Steps<readonly string[]>;
  /** Returns the ids by which later requests name this response and its parts. Never throws. */
  readIds(value: unknown): readonly string[];
  /** Returns the tool calls of a response. Never throws. */
  readCalls(value: unknown, source: Source): readonly ToolCall[];
  /** Does both in steps. */
  readResponseInSteps(
    value: unknown,
    source: Source,
  ): Steps<ExtractedBody & { readonly calls: readonly ToolCall[] }>;
  /** `body` is the whole accumulated text of a stream. Never throws. */
  readStream(body: string): ExtractedBody;
  /** Returns the ids of the response in the same text. Never throws. */
  readStreamIds(body: string): Steps<readonly string[]>;
  /** Returns the tool calls in the same text. Never throws. */
  readStreamCalls(body: string): readonly ToolCall[];
  /** Does both in steps. */
  readStreamInSteps(body: string): Steps<ExtractedBody & { readonly calls: readonly ToolCall[] }>;
  /** Rejects in the form in which the provider's own packages throw their usual error. */
  rejectionOf(block: Block): BlockReply;
  /** Returns the frames that end a blocked stream. `sent`: the part of the response that was already sent. */
  streamBlockOf(block: Block, sent?: string): string;
  /** Returns the frames that end a stream whose response failed. */
  streamErrorOf(failure: StreamFailure): string;
  /** True if its clients read a number as the `code` of the provider's own errors. */
  readonly keepsErrorCode: boolean;
}
