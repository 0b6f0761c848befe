/** A client package in an application's setup, with only the addresses and a key changed. */
export interface Client {
  readonly name: string;
  /** Resolves to the text of the response. */
  ask(prompt: string, signal?: AbortSignal): Promise<string>;
  /** Like `ask`, with a streamed response. */
  stream(prompt: string): Promise<string>;
  /** Resolves to the arguments with which the model called `TOOL`, as JSON; absent: the package has no tools. */
  callTool?(prompt: string): Promise<string>;
  /** Resolves to the response for a prompt with an image in base64; absent: the package takes no images. */
  showImage?(prompt: string, png: string): Promise<string>;
}

/** The target of a client: the gateway, or the stand-in provider itself. */
export interface Connection {
  /** Includes `/v1`, as most packages expect. */
  readonly v1: string;
  /** Excludes `/v1`. */
  readonly root: string;
  /** The endpoint for Amazon's package. */
  readonly bedrock: string;
  readonly key: string;
}

/** A value of a package: packages that the project does not depend on have no types here. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type Untyped = any;

/** Loads a package by name: one of the project, or one that was installed for this command. */
export type LoadPackage = (name: string) => Promise<Untyped>;

export type ClientGroup = (load: LoadPackage, connection: Connection) => Promise<Client[]>;

export const PROVIDER_KEY = 'sk-provider-test';
export const MODEL = 'gpt-standin';

/** The one tool that clients offer. */
export const TOOL = {
  name: 'look_up',
  description: 'Looks up the weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
    additionalProperties: false,
  },
} as const;
