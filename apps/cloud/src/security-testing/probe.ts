import type { GuardRequest, ProbeCategoryName } from '@csg/shared/contract';
import { type ExtractedGuardRequest, readGuardRequest } from '@csg/shared/providers';

/** A test case for the engine. Written for this project; none is taken from a collection. */
export interface Probe {
  /** Unique among all probes; part of URLs. */
  readonly name: string;
  /** What it attempts, in one sentence. */
  readonly description: string;
  /** A user's text, or complete messages, tool results and documents as guard accepts them. */
  readonly tried: string | GuardRequest;
  /** Data that must be masked while the rest is passed on. Only with it does a redaction count as a catch. */
  readonly planted?: readonly string[];
}

export interface ProbeGroup {
  readonly category: ProbeCategoryName | 'harmless';
  readonly probes: readonly Probe[];
}

/** A probe ready to be scanned. */
export interface ProbeRequest {
  readonly conversation: ExtractedGuardRequest;
  readonly direction: 'input' | 'output';
}

/** Reads the conversation as guard does. */
export function readProbe(tried: Probe['tried']): ProbeRequest {
  const request = asRequest(tried);
  return { conversation: readGuardRequest(request), direction: request.direction ?? 'input' };
}

function asRequest(tried: Probe['tried']): GuardRequest {
  return typeof tried === 'string' ? { messages: [{ role: 'user', content: tried }] } : tried;
}

/** Formats a probe for people: the text alone, or every part with its role. */
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
