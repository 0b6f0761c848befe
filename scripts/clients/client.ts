/** A client package as an application sets it up, with the addresses and a key as its only changes. */
export interface Client {
  readonly name: string;
  /** The text of the response. */
  ask(prompt: string, signal?: AbortSignal): Promise<string>;
  /** The same, piece by piece. */
  stream(prompt: string): Promise<string>;
  /** The arguments with which the model called `TOOL`, as JSON; absent: the package has no tools. */
  callTool?(prompt: string): Promise<string>;
  /** The text of the response to a prompt with an image in base64; absent: the package takes no images. */
  showImage?(prompt: string, png: string): Promise<string>;
}

/** Where a client sends its requests: to the gateway, or to the stand-in provider itself. */
export interface Connection {
  /** With `/v1`, as most packages take it. */
  readonly v1: string;
  /** Without it. */
  readonly root: string;
  /** What Amazon's package takes as its endpoint. */
  readonly bedrock: string;
  readonly key: string;
}

/** What is of a package: those that the project does not depend on have no types here. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type Untyped = any;

/** A package by its name: those of the project, or those that were installed for the command. */
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
