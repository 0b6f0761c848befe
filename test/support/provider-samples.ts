import { readFileSync } from 'node:fs';
import { API_ENDPOINTS, type Endpoint, PROVIDERS, type Provider } from '@csg/shared/providers';
import { base64, dataUrl, json, plain, type Template } from './canary-template.ts';

/** A frame of a stream; without an event name it is data only. */
export interface Frame {
  readonly event?: string;
  readonly data: Template;
}

/** A text that a stream sends piece by piece. */
export interface Pieces {
  readonly frame: (piece: string) => Frame;
  /** The frame that may contain its beginning, if an event opens it. */
  readonly opening: ((piece: string) => Frame) | null;
}

/**
 * The bodies of an endpoint as its provider documents them, with at least one text in every field that accepts one: the
 * file of its name in the `samples` of the provider's folder.
 */
export interface Samples {
  readonly provider: Provider;
  readonly endpoint: Endpoint;
  readonly requests: readonly Template[];
  readonly response: Template;
  readonly frames: readonly Frame[];
  readonly pieces: ReadonlyMap<string, Pieces>;
  /** Whether a JSON pointer of a request belongs to the developer's own text. */
  readonly isDevelopers: (pointer: string) => boolean;
  readonly isMetadata: (pointer: string) => boolean;
  /** Whether it is a credential that the provider uses elsewhere. */
  readonly isCredential: (pointer: string) => boolean;
}

interface File {
  /** Another endpoint with the same samples. */
  readonly like?: string;
  readonly requests?: readonly Json[];
  readonly response?: Json;
  readonly frames?: readonly Json[];
  /** `<piece>` is replaced by the piece. */
  readonly pieces?: Readonly<Record<string, { readonly opening?: Json }>>;
  /** Pointers; `*` matches any one step. */
  readonly developer?: readonly string[];
  readonly metadata?: readonly string[];
  readonly credentials?: readonly string[];
}
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const PIECE = '<piece>';

const WITH_BODIES = API_ENDPOINTS.filter(({ method, isBodiless }) => method === 'POST' && !isBodiless);

/**
 * Samples of every endpoint with a body, in the order of the registry; without further addresses of a format that
 * already has samples.
 */
export const SAMPLES: readonly Samples[] = WITH_BODIES.filter(
  (endpoint) =>
    hasFile(endpoint) || !WITH_BODIES.some((one) => one.format === endpoint.format && hasFile(one)),
).map(readSamples);

/** Samples for endpoints at further addresses: those of the endpoint with the same format and name. */
export const FURTHER_SAMPLES: readonly Samples[] = WITH_BODIES.filter(
  ({ name }) => !SAMPLES.some(({ endpoint }) => endpoint.name === name),
).flatMap((endpoint) => {
  const alike = SAMPLES.filter((samples) => samples.endpoint.format === endpoint.format);
  const samples = alike.find((one) => endpoint.name.endsWith(one.endpoint.name)) ?? alike[0]!;
  return PROVIDERS.filter(({ endpoints }) => endpoints.some(({ name }) => name === endpoint.name)).map(
    (provider) => ({ ...samples, provider, endpoint }),
  );
});

export function samplesOf(endpoint: string): Samples {
  const found = SAMPLES.find((samples) => samples.endpoint.name === endpoint);
  if (found === undefined) throw new Error(`there are no samples of ${endpoint}`);
  return found;
}

function readSamples(endpoint: Endpoint): Samples {
  // A provider that shares an endpoint has no samples of its own; the first one owns them.
  const providers = PROVIDERS.filter(({ endpoints }) => endpoints.some(({ name }) => name === endpoint.name));
  const owner = providers.find(({ name }) => fileOf(name, endpoint.name) !== null);
  const own = owner && fileOf(owner.name, endpoint.name);
  if (owner === undefined || !own)
    throw new Error(`write samples/${endpoint.name}.json in the provider's folder`);
  const like = own.like === undefined ? {} : fileOf(owner.name, own.like);
  const file: File = { ...like, ...own };
  return {
    provider: owner,
    endpoint,
    requests: (file.requests ?? []).map(templateOf),
    response: templateOf(file.response ?? {}),
    frames: (file.frames ?? []).map((frame) => templateOf(frame) as unknown as Frame),
    pieces: new Map(
      Object.entries(file.pieces ?? {}).map(([name, { opening, ...frame }]) => [
        name,
        {
          frame: frameOf(frame as Json),
          opening: opening === undefined ? null : frameOf({ data: opening }),
        },
      ]),
    ),
    isDevelopers: leadsTo(file.developer),
    isMetadata: leadsTo(file.metadata),
    isCredential: leadsTo(file.credentials),
  };
}

function hasFile({ name }: Endpoint): boolean {
  return PROVIDERS.some((provider) => fileOf(provider.name, name) !== null);
}

function fileOf(provider: string, endpoint: string): File | null {
  const url = new URL(`../../shared/providers/${provider}/samples/${endpoint}.json`, import.meta.url);
  try {
    return JSON.parse(readFileSync(url, 'utf8')) as File;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * `{"$json": …}`, `{"$base64": text}`, `{"$dataUrl": [type, text]}` and `$percentUrl` are strings that contain a text.
 */
function templateOf(value: Json): Template {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(templateOf);
  const members = value as Readonly<Record<string, Json>>;
  if (members['$json'] !== undefined) return json(templateOf(members['$json']));
  if (members['$base64'] !== undefined) return base64(members['$base64'] as string);
  for (const [name, spelling] of [
    ['$dataUrl', 'base64'],
    ['$percentUrl', 'percent'],
  ] as const) {
    const [type, text] = (members[name] ?? []) as readonly string[];
    if (type !== undefined) return dataUrl(type, text as string, spelling);
  }
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, templateOf(member)]));
}

function frameOf(frame: Json): (piece: string) => Frame {
  const written = JSON.stringify(frame);
  return (piece) =>
    templateOf(
      JSON.parse(written.replace(PIECE, () => JSON.stringify(piece).slice(1, -1))) as Json,
    ) as unknown as Frame;
}

function leadsTo(pointers: readonly string[] = []): (pointer: string) => boolean {
  const patterns = pointers.map((one) => new RegExp(`^${one.replaceAll('*', '[^/]+')}(?:/|$)`));
  return (pointer) => patterns.some((pattern) => pattern.test(pointer));
}

/** The body of a stream of these frames, each in its provider's format. */
export function spellFrames({ format }: Pick<Endpoint, 'format'>, frames: readonly Frame[]): string {
  const isLines = 'stream' in format && (format.stream.framing ?? 'events') !== 'events';
  return frames
    .map(({ event, data }) => {
      const text = JSON.stringify(plain(data));
      return isLines ? `${text}\n` : `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
    })
    .join('');
}
