import type { DataSource, ThreatType, ToolEffect } from '../contract/index.ts';
import type { Origin } from '../text/index.ts';

export type Effect = ToolEffect;

/** Kinds of values that say where an effect goes or what it does. */
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
  /** As it is compared: in one spelling. */
  readonly text: string;
}

/** A text of the conversation before the call, and whose words it is. */
export interface SourceText {
  readonly text: string;
  readonly origin: Origin;
  /** JSON pointer of the text; of the message that it stands in. */
  readonly path: string;
  readonly message: string;
  /** The tool that brought it; null: none, or an unknown one. */
  readonly tool: string | null;
  /** What untrusted data is; null: it is not untrusted. */
  readonly dataSource: DataSource | null;
}

/** Where a value of a call comes from. */
export type FlowSource = Pick<SourceText, 'path' | 'message' | 'tool'>;

/** A value of a call that only untrusted data named. */
export interface Flow {
  readonly toolName: string;
  /** JSON pointer of the call. */
  readonly callPath: string;
  /** JSON pointer of the argument, from the arguments on. */
  readonly argument: string;
  readonly kind: ValueKind;
  readonly source: FlowSource;
  /** True: the address carries a value from elsewhere in the conversation, which `source` is. */
  readonly isCarrying: boolean;
  /** Where an address that carries a value comes from itself; null: from nowhere, or it carries none. */
  readonly addressSource: FlowSource | null;
  readonly threatType: Extract<ThreatType, 'data_exfiltration' | 'unsafe_tool_call'>;
}

/** A call whose arguments are traced. */
export interface TracedCall {
  readonly path: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}
