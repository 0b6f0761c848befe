import { CALLED } from './call-forms.ts';

/** A call as an official package gives it to its program. */
export interface HandedCall {
  readonly name: unknown;
  /** Text, or what the package parsed. */
  readonly given: unknown;
}

/** The address of a provider or of a gateway, and the key that every request carries. */
export interface CallServer {
  /** Without `/v1`. */
  readonly root: string;
  /** For Amazon's package. */
  readonly bedrock: string;
  readonly key: string;
}

/**
 * Asks as a program does, and returns the calls of the whole answer. `hand` gets those that the package gives earlier,
 * which a program may have run before the package throws.
 */
export type AskForCalls = (
  isStream: boolean,
  hand: (call: HandedCall) => void,
) => Promise<readonly HandedCall[]>;

/** A value of a package whose types are not loaded: they would slow down every type check. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type Untyped = any;

export const TASK = 'List the files';
export const SCHEMA = { type: 'object' as const };

/** The same in each interface: a name, no description, any arguments. */
export const toolsAs = <Tool>(toTool: (name: string) => Tool): Tool[] => CALLED.map(toTool);

/** Loads a package at its first use, so that only those of the tests that run are loaded. */
export const load = (name: string): Promise<Untyped> => import(name);
