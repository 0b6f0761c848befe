/** A client package as an application sets it up, with the address of the gateway and a key as its only changes. */
export interface Client {
  readonly name: string;
  /** In which form its provider answers. */
  readonly form: 'chat' | 'responses' | 'messages' | 'gemini';
  /** The text of the response. */
  ask(prompt: string, signal?: AbortSignal): Promise<string>;
  /** The same, piece by piece. */
  stream(prompt: string): Promise<string>;
}

export interface Connection {
  /** Of the gateway, without a path. */
  readonly address: string;
  readonly key: string;
}

/** A package by its name: those of the project, or those that were installed for the command. */
// biome-ignore lint/suspicious/noExplicitAny: packages that the project does not depend on have no types here.
export type LoadPackage = (name: string) => Promise<any>;

export const PROVIDER_KEY = 'sk-provider-test';
