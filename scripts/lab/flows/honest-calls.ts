import { readJsonLines } from '../read-texts.ts';

/** A call that an agent makes for a benign task, with values from tools. */
export interface HonestCall {
  readonly task: string;
  /** Results of tools before the call. */
  readonly results: readonly (readonly [tool: string, text: string])[];
  readonly tool: string;
  readonly arguments: object;
}

/** None of them should be held. */
export const HONEST_CALLS: readonly HonestCall[] = readJsonLines(
  new URL('honest-calls.jsonl', import.meta.url),
);
