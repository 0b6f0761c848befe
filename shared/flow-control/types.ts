import type { DataSource, ThreatType, ToolEffect } from '../contract/index.ts';
import type { Origin, Span, TextSlot } from '../text/index.ts';

export type Effect = ToolEffect;

/** Kinds of values that direct an effect. */
export type ValueKind =
  | 'email'
  | 'phone'
  | 'account'
  | 'channel'
  | 'person'
  | 'url'
  | 'host'
  | 'path'
  | 'command'
  | 'amount';

/** A value in an argument of a call. */
export interface ArgumentValue {
  readonly kind: ValueKind;
  /** Normalized for comparison. */
  readonly text: string;
}

/** A text of the conversation before the call, and its origin. */
export interface SourceText {
  readonly text: string;
  readonly origin: Origin;
  /** JSON pointers of the text and of its message. */
  readonly path: string;
  readonly message: string;
  /** The tool that returned it; null: none, or an unknown one. */
  readonly tool: string | null;
  /** The kind of untrusted data; null: it is trusted. */
  readonly dataSource: DataSource | null;
}

/** The source of a call's value. */
export type FlowSource = Pick<SourceText, 'path' | 'message' | 'tool'>;

/** A value of a call that occurs only in untrusted data. */
export interface Flow {
  readonly toolName: string;
  /** JSON pointer of the call. */
  readonly callPath: string;
  /** JSON pointer of the argument, relative to the arguments. */
  readonly argument: string;
  /**
   * `too_many`: the call has more values than are traced. `tainted`: it carries a value of a passage that gives
   * instructions.
   */
  readonly kind: ValueKind | 'too_many' | 'tainted';
  readonly source: FlowSource;
  /** True: the address carries a value from another text of the conversation, which is `source`. */
  readonly isCarrying: boolean;
  /** The source of an address that carries a value; null: it has none, or carries none. */
  readonly addressSource: FlowSource | null;
  readonly threatType: Extract<ThreatType, 'data_exfiltration' | 'unsafe_tool_call'>;
}

/** A call whose arguments are traced. */
export interface TracedCall {
  readonly path: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A text of the conversation, and the passages of it that give instructions: those of data, never a person's own. */
export interface TaintedText {
  readonly slot: TextSlot;
  readonly passages: readonly Span[];
}
