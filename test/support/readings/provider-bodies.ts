import {
  beginsCall,
  countTokens,
  countWritten,
  type ExtractedBody,
  formatOf,
  isWritable,
  readCallEdges,
  readCodeResults,
  readDefinedTools,
  readExactCalls,
  readLeafTexts,
  readResultTools,
  readToolCalls,
  readUnknownStream,
  replacementsByPath,
  type WireFormat,
  writeTexts,
} from '../../../shared/providers/index.ts';
import { PROVIDERS } from '../../../shared/providers/registry.ts';
import {
  restoreInJson as restoringInJson,
  restoreInStream as restoringInStream,
} from '../../../shared/streaming/restore-values.ts';
import { finish, parseStrictJsonText, type TextSlot } from '../../../shared/text/index.ts';
import { plain } from '../canary-template.ts';
import { type Frame, SAMPLES, spellFrames } from '../provider-samples.ts';
import { createRandom, type Random } from '../random.ts';
import type { Reading, Readings } from './compare-readings.ts';
import { damaged, written } from './damage.ts';
import { digest, tried } from './digest.ts';

const restoreInJson = (...given: Parameters<typeof restoringInJson>) => finish(restoringInJson(...given));

const restoreInStream = (...given: Parameters<typeof restoringInStream>) =>
  finish(restoringInStream(...given));

/**
 * The number of texts, a digest of everything read, and one of the body written with every third text masked and of the
 * other readings.
 */
export function bodyReading(
  source: string,
  body: ExtractedBody | string,
  others: readonly unknown[] = [],
): Pick<Reading, 'reading' | 'details'> {
  if (typeof body === 'string')
    return { reading: `${body} ${digest(others)}`, details: () => JSON.stringify(others, null, 1) };
  const { slots, messages, unscanned, files, model, stream } = body;
  const results = {
    slots,
    messages: messages.map(({ role, origin, position, slots: own }) => [role, origin, position, own.length]),
    ...{ unscanned, model, stream },
    files: files.map(({ path, marks, base64 }) => [path, marks[0] ?? null, base64.length]),
  };
  const masked = tried(() => writeMasked(source, slots));
  return {
    reading: `${slots.length} ${digest(results)} ${digest([masked, others])}`,
    details: () => JSON.stringify({ ...results, masked, others }, null, 1),
  };
}

function writeMasked(source: string, slots: readonly TextSlot[]): unknown {
  const masks = slots.flatMap((slot, at) => {
    if (at % 3 !== 0 || !isWritable(slot)) return [];
    const start = Math.min(slot.text.length - 1, at % 5);
    return [
      [at, [{ start, end: Math.min(slot.text.length, start + 2 + (at % 7)), text: '[MASK]' }]] as const,
    ];
  });
  const byIndex = new Map(masks);
  return [writeTexts(source, replacementsByPath(slots, byIndex)), finish(countWritten(slots, byIndex))];
}

const PLACEHOLDERS = [
  '[EMAIL_7K3M9QWX]',
  'Phone\\_7K3M9QWX',
  '{NAME_ABCD1234}',
  '\\[IBAN_ABCD1234\\]',
  'email_7k3m9qw',
  '[API_KEY_7K3M9QWX',
];
const restore = ({
  placeholder,
  isInAddress,
  path,
}: {
  placeholder: string;
  isInAddress: boolean;
  path: string | null;
}) =>
  placeholder.includes('PHONE')
    ? null
    : `va"lue ${placeholder.length} ${isInAddress} ${path?.length ?? 'none'}`;

/** Replaces words by placeholders. */
const withPlaceholders = (source: string, random: Random) =>
  source.replace(/(?<=[a-z] )[a-z]{3,}(?= )/g, (word) =>
    random.chance(0.3) ? JSON.stringify(random.pick(PLACEHOLDERS)).slice(1, -1) : word,
  );

function* readRequests(name: string, format: WireFormat, values: readonly unknown[]): Readings {
  for (let at = 0; at < DAMAGES; at++) {
    const random = createRandom(at * 7_919 + name.length * 31);
    const value = at < values.length ? values[at] : damaged(values[at % values.length], random);
    const source = at < values.length ? JSON.stringify(value) : written(value, random);
    const parsed = tried(() => parseStrictJsonText(source));
    const body = tried(() => format.readRequest(parsed, () => source));
    const results = finish(readResultTools(parsed));
    const code = finish(readCodeResults(parsed));
    const paths = typeof body === 'string' ? [] : body.slots.map(({ path }) => path);
    const tools = [...readDefinedTools(parsed).values(), paths.map((path) => [results(path), code(path)])];
    const restored = restoreInJson(withPlaceholders(source, random), restore);
    const others = [finish(readExactCalls(parsed, () => source)), tools, restored];
    yield { name: `${name}, request ${at}`, text: source, ...bodyReading(source, body, others) };
  }
}

function* readResponses(name: string, format: WireFormat, value: unknown): Readings {
  for (let at = 0; at < DAMAGES; at++) {
    const random = createRandom(at * 7_919 + name.length * 37);
    const source = written(at === 0 ? value : damaged(value, random), random);
    const parsed = tried(() => parseStrictJsonText(source));
    const body = tried(() => format.readResponse(parsed, () => source));
    const others = [readToolCalls(parsed), finish(countTokens(source, false))];
    yield { name: `${name}, response ${at}`, text: source, ...bodyReading(source, body, others) };
  }
}

/** The frames with one lost, repeated, changed or moved, and its text truncated. */
function damagedFrames(frames: readonly Frame[], random: Random): Frame[] {
  let list = [...frames];
  for (let left = 1 + random.below(4); left > 0 && list.length > 0; left--) {
    const at = random.below(list.length);
    const frame = list[at]!;
    const change = (data: unknown): Frame => ({ ...frame, data: data as Frame['data'] });
    list = random.pick<() => Frame[]>([
      () => list.toSpliced(at, 1),
      () => [...list.slice(0, at), frame, ...list.slice(at)],
      () => list.with(at, change(damaged(plain(frame.data), random))),
      () => list.with(at, change(damaged(plain(frame.data), random))),
      () => list.with(at, change(reindexed(plain(frame.data), random))),
      () => list.toSpliced(at, 1, list[(at + 1) % list.length]!, frame),
    ])();
  }
  return list;
}

/** Changes the indexes. */
function reindexed(value: unknown, random: Random): unknown {
  const text = JSON.stringify(value);
  const index = random.pick(['1', '0', '2', '"0"', '"x"', 'null', '17', '1.5']);
  return JSON.parse(
    text.replace(/"((?:output_|content_|contentBlock)?[iI]ndex)":\d+(?:\.\d+)?/, `"$1":${index}`),
  ) as unknown;
}

function* readStreams(
  name: string,
  format: WireFormat,
  frames: readonly Frame[],
  spell: (list: readonly Frame[]) => string,
): Readings {
  for (let at = 0; at < DAMAGES; at++) {
    const random = createRandom(at * 7_919 + name.length * 41);
    const spelled = spell(at === 0 ? frames : damagedFrames(frames, random));
    const source = random.pick<() => string>([
      () => spelled,
      () => spelled,
      () => spelled.replaceAll('\n', '\r\n'),
      () => `\ufeff: a comment\n${spelled}data: [DONE]\n\n`,
      () => `${spelled.replace('data: ', 'data:')}retry: 10\nid: words here\nother: field\n\nno field at all`,
      () => spelled.slice(0, spelled.length - 3 - random.below(40)),
    ])();
    const body = tried(() => format.readStream(source));
    const calls = tried(() => format.readStreamCalls(source));
    const parts = source.replace(/\r\n?/g, '\n').split(/(?<=\n\n)/);
    const frameTexts = tried(() => {
      const reader = format.readFrames();
      return reader === null ? null : parts.map((part) => reader.read(part));
    });
    const edges = parts.map((part) => [beginsCall(part), readCallEdges(part)]);
    const restored = tried(() => {
      const reader = format.readFrames();
      return reader === null ? null : restoreInStream(withPlaceholders(source, random), reader, restore);
    });
    const unknown = readUnknownStream(source).slots;
    const others = [calls, frameTexts, edges, restored, finish(countTokens(source, true)), unknown];
    yield { name: `${name}, stream ${at}`, text: source, ...bodyReading('', body, others) };
  }
}

const DAMAGES = 36;

/** Readings of every provider's samples, intact and damaged, and the bodies written back. */
export function* readProviderBodies(): Readings {
  for (const samples of SAMPLES) {
    const { endpoint, requests, response, frames } = samples;
    const { name } = endpoint;
    const format = formatOf(endpoint);
    yield* readRequests(name, format, requests.map(plain));
    yield* readResponses(name, format, plain(response));
    if (frames.length > 0) yield* readStreams(name, format, frames, (list) => spellFrames(endpoint, list));
  }
  const [chat, messages] = ['openai-chat', 'anthropic-messages'].map(
    (name) => SAMPLES.find(({ endpoint }) => endpoint.name === name)!,
  );
  for (const provider of PROVIDERS.filter(({ name }) => name.endsWith('-web'))) {
    const format = formatOf(provider.endpoints[0]!);
    yield* readRequests(provider.name, format, chat!.requests.slice(0, 3).map(plain));
    yield* readStreams(provider.name, format, messages!.frames, (list) =>
      spellFrames(messages!.endpoint, list),
    );
  }
  for (let at = 0; at < DAMAGES; at++) {
    const random = createRandom(at * 7_919 + 3);
    const source = written(damaged(plain(chat!.requests[at % chat!.requests.length]!), random), random);
    const body = tried(() =>
      readLeafTexts(JSON.parse(source), at % 2 === 0 ? 'user' : 'other', () => source),
    );
    yield { name: `leaves ${at}`, text: source, ...bodyReading(source, body) };
  }
}
