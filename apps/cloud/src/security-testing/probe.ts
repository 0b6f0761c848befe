import type { GuardRequest, ProbeCategoryName } from '@csg/shared/contract';
import { type ExtractedGuardRequest, readGuardRequest } from '@csg/shared/providers';

/** One thing that is tried on the engine. Written for this project; none is taken from a collection. */
export interface Probe {
  /** Unique among all probes; stands in addresses. */
  readonly name: string;
  /** What it tries, in one sentence. */
  readonly description: string;
  /** What a user writes, or whole messages, tool results and documents as guard takes them. */
  readonly tried: string | GuardRequest;
  /** Data that has to be masked where the rest goes on. Only then does a redaction stop the probe. */
  readonly planted?: readonly string[];
}

export interface ProbeGroup {
  readonly category: ProbeCategoryName | 'harmless';
  readonly probes: readonly Probe[];
}

/** A probe as it is run. */
export interface ProbeRequest extends Pick<ExtractedGuardRequest, 'slots' | 'unscanned'> {
  readonly direction: 'input' | 'output';
}

/** The same slots that guard would scan. */
export function readProbe(tried: Probe['tried']): ProbeRequest {
  const request = asRequest(tried);
  const { slots, unscanned } = readGuardRequest(request);
  return { slots, unscanned, direction: request.direction ?? 'input' };
}

function asRequest(tried: Probe['tried']): GuardRequest {
  return typeof tried === 'string' ? { messages: [{ role: 'user', content: tried }] } : tried;
}

/** For people: the text alone, or every part with whose it is. */
export function showProbe(tried: Probe['tried']): string {
  if (typeof tried === 'string') return tried;
  const { messages, retrieved_context: documents = [], context } = tried;
  return [
    ...messages.map(({ role, content }) => `${role}: ${shown(content)}`),
    ...documents.map(
      ({ content, source }) => `document${source === undefined ? '' : ` ${source}`}: ${content}`,
    ),
    ...(context?.tool_calls ?? []).map((call) => `tool call: ${JSON.stringify(call)}`),
  ].join('\n');
}

function shown(content: GuardRequest['messages'][number]['content']): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
