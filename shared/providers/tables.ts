import type { SlotRole } from '../text/index.ts';
import type { Block, BlockReply, StreamFailure } from './wire-format.ts';

/**
 * How the value of a member is read. A table can only add to what the reader does by itself: what no table names is
 * read as text, and in streams joined.
 */
export type ReadAs =
  /** Messages, in a list or alone; each says by its role whose words it is. */
  | 'messages'
  /** The same, and those without a role say it by their type. */
  | 'items'
  /** A text, a block, or a list of them, in the words of the speaker. */
  | 'content'
  /** Every text in it. */
  | 'leaves'
  /** An object with the members of a body. */
  | 'body'
  /** Log probabilities: the response once more, token by token. */
  | 'tokens'
  /** A picture or a recording, and a file that may hold text. */
  | 'media'
  | 'file'
  /** Base64 of a picture. */
  | 'picture'
  /** Measures of a text: their fractions are no text. */
  | 'figures'
  /** Opaque to all but the provider. */
  | 'sealed'
  /** A name of a speaker; elsewhere that of a tool. */
  | 'name'
  /** The provider's word, or its like: no one's speech. */
  | 'label'
  /** Made by machines and given back as it came: read for secrets only, if it has the form of one. */
  | 'identifier'
  /** What clients say about a request. */
  | 'metadata'
  /** A number that configures the call; a masked one would break it. */
  | 'parameter';

export interface MemberRule {
  /** Default: a text as it stands, of anything else every text. */
  readonly as?: ReadAs;
  /** Whose words it holds. Default: those of the message around it. */
  readonly role?: SlotRole;
  /** The same, if it is a bare text where a list is usual. */
  readonly textRole?: SlotRole;
  /** Members of its items that let the provider sign in elsewhere: masked, the call would fail. */
  readonly credentials?: readonly string[];
}
export type MemberRules = Readonly<Record<string, MemberRule>>;

export interface TypeRule {
  /** Whose words a block of this type is; `speaker`: the sender's. */
  readonly role?: SlotRole | 'speaker';
  /** What stands in it in place of text. */
  readonly media?: 'media' | 'file';
  /** Members that mean something else in blocks of this type. */
  readonly members?: MemberRules;
}

/** Messages, items and blocks, in requests and responses alike. */
export interface BlockTable {
  readonly members: MemberRules;
  readonly types: Readonly<Record<string, TypeRule>>;
}

/** One of these members has to be there, as a list or an object. */
export type OneOf = readonly string[];

export interface RequestTable {
  /** Where the conversation is: only there may a message name a role that is trusted. */
  readonly conversation: string;
  /** Without a list of messages the provider could not find them, and there would be nothing to evaluate. */
  readonly shape: 'list' | 'list, text or nothing' | 'list or text' | 'any object' | OneOf;
  readonly members: MemberRules;
  /** Roles that messages name. All others are read as a person's. */
  readonly roles: Readonly<Record<string, SlotRole>>;
}

export interface ResponseTable {
  readonly members: MemberRules;
}

export interface FrameRule extends MemberRule {
  /**
   * Where in the response, as clients put it together, its texts go on: `choices/{index}`. Names in braces are members of
   * the frame that count; one that is missing is left out. With `as`, it opens a text, and is read as a whole besides.
   */
  readonly goesOn?: string;
  /** Of what it opens: members whose texts later frames go on with. */
  readonly opens?: readonly string[];
  /** The type of the frame that ends what it opens. */
  readonly closes?: string;
  /**
   * The same by the type of an item or part: the member, and the type of the frames that go on with it. They find it by
   * the indexes that lead to it, so `goesOn` names those alone.
   */
  readonly opensByType?: Readonly<Record<string, readonly [member: string, event: string]>>;
  /** Its list is told apart by this member of each item. */
  readonly each?: string;
  /** Blocks are found by the number of those before them, or by their index: clients do one or the other. */
  readonly isPushed?: true;
  /** Rules for members of the items, or of the object, in it. */
  readonly inside?: FrameRules;
}
export type FrameRules = Readonly<Record<string, FrameRule>>;

export interface StreamTable {
  /** How one frame is told from the next; `amazon`: lines, once unpacked. Default: server-sent events. */
  readonly framing?: 'events' | 'lines' | 'amazon';
  /** Members of every frame. What is not here is joined from frame to frame. */
  readonly frame: FrameRules;
  /** Members of frames with this `type`. */
  readonly events?: Readonly<Record<string, FrameRules>>;
  /** The type of the frame that ends a block which its deltas have begun, and its member for the place of that. */
  readonly ends?: readonly [event: string, member: string];
}

export interface ErrorTable {
  /** A rejection, so that the provider's own packages throw their usual error. */
  readonly rejection: (block: Block) => BlockReply;
  /** The frames that end a blocked stream. `sent`: what of the response has left before. */
  readonly streamBlock: (block: Block, sent?: string) => string;
  /** The frames that end a stream whose response could not be had. Default: one error frame. */
  readonly streamError?: (failure: StreamFailure) => string;
}

/** The bodies of one interface, for every provider that speaks it. */
export interface FormatTable {
  readonly name: string;
  readonly request: RequestTable;
  readonly response: ResponseTable;
  readonly blocks: BlockTable;
  readonly stream: StreamTable;
  readonly errors: ErrorTable;
  /** Member names and values that belong to the provider. An exact one can hold no attack and no secret. */
  readonly words: { readonly names: string; readonly values: string };
}
