import type { CodedError, Unscanned } from '@csg/shared/contract';
import { listingsOf } from '@csg/shared/decision';
import type { TaintedText } from '@csg/shared/flow-control';
import {
  AMAZON_STREAM,
  type ExtractedBody,
  readLeafTexts,
  replacementsByPath,
  type SignedBlock,
  type ToolCall,
  type WireFormat,
  writeTexts,
} from '@csg/shared/providers';
import { restoreBody, type ValuesToRestore } from '@csg/shared/streaming';
import {
  BodyError,
  type Conversation,
  decodeUtf8,
  type JsonBounds,
  parseStrictJsonInSteps,
  type StrictJson,
  type TextSlot,
  withSlots,
} from '@csg/shared/text';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import type { ProviderCall } from '../storage/storage.ts';
import { providerError } from '../upstream/provider-error.ts';
import { type ProviderRejection, readRejection, rejectionError } from '../upstream/provider-rejection.ts';
import type { Provider } from '../upstream/providers.ts';
import { replyHeaders } from '../upstream/reply-headers.ts';
import type { UpstreamResponse } from '../upstream/send.ts';
import { framingOf, isAmazonStream, streamText } from '../upstream/stream-text.ts';
import { type ConversationIdentity, conversationKeys } from './agent/conversation-keys.ts';
import type { Principal } from './authenticate-key.ts';
import { type EvaluateDeps, type Evaluation, evaluate } from './decision/evaluate.ts';
import { destinationOf } from './decision/find-exceptions.ts';
import { inConversation, type ToolCallDeps } from './decision/review-calls.ts';
import type { Subject } from './decision/subject.ts';
import { type ReadFilesDeps, readFiles } from './read-files.ts';
import { readHeaders } from './read-headers.ts';

export interface ResponseToEvaluate {
  readonly format: WireFormat;
  readonly provider: Provider;
  readonly response: UpstreamResponse;
  /** Its body, if it was read before. */
  readonly decoded?: ResponseBody;
  /** The provider call that returned the response, counted with the decision. */
  readonly call?: ProviderCall;
  readonly route: string;
  readonly model: string | null;
  readonly requestId: string;
  /** The system and developer messages of the request. */
  readonly systemSlots?: readonly TextSlot[];
  /** The conversation that this response continues; if absent, its tool calls are not evaluated. */
  readonly continues?: ContinuedConversation;
  readonly ipAddress?: string | undefined;
  /** Values masked in the request that are restored in the response. */
  readonly restores?: ValuesToRestore | null;
}

export interface ContinuedConversation extends ConversationIdentity {
  readonly request: Conversation;
  /** The body that the request was read from. */
  readonly body: unknown;
  /** Its passages that give the model instructions. */
  readonly tainted?: readonly TaintedText[];
}

export interface EvaluatedResponse {
  readonly evaluation: Evaluation;
  readonly streamed: boolean;
  readonly unscanned: readonly Unscanned[];
  /** Its blocks that requests have to send back unchanged. */
  readonly signed: readonly SignedBlock[];
  /** The provider's headers that the client may receive. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body with values of the request restored; null if unchanged. */
  readonly restoredBody: Buffer | null;
  /** Set if the provider returned an error: that error in our envelope, with its text as far as it may be shown. */
  readonly rejection: CodedError | null;
}

export interface ResponseDeps extends EvaluateDeps, ReadFilesDeps, ToolCallDeps {
  readonly storage: EvaluateDeps['storage'] & ToolCallDeps['storage'];
}

/** Reads and evaluates a provider's response, whole or streamed, successful or not. Rejects if it cannot be read. */
export async function evaluateResponse(
  deps: ResponseDeps,
  principal: Principal,
  input: ResponseToEvaluate,
): Promise<EvaluatedResponse> {
  const { response, provider } = input;
  const { route, model, requestId, ipAddress, call } = input;
  const subject = {
    recorded: { route, model, requestId, ipAddress, call },
    direction: 'output' as const,
    destination: { host: destinationOf(provider), provider: provider.name },
  };
  const headers = readHeaders(replyHeaders(provider, response.headers));
  const withHeaders = (conversation: Conversation): Conversation =>
    withSlots(conversation, headers.slot === null ? [] : [headers.slot]);
  if (response.status < 200 || response.status > 299) {
    const rejection = readRejection(response);
    const { source, ...read } = readRejectionTexts(rejection);
    const extracted = await readFiles(deps, principal, read);
    const evaluation = await evaluate(deps, principal, {
      ...subject,
      texts: { conversation: withHeaders(extracted), unread: extracted.unscanned },
      delivery: 'written',
    });
    const visible = headers.shown(evaluation, extracted.slots.length);
    const shown = shownRejection(source, extracted.slots, evaluation);
    return {
      evaluation,
      streamed: false,
      unscanned: extracted.unscanned,
      signed: [],
      restoredBody: null,
      headers: visible,
      rejection: rejectionError(provider, rejection, shown, visible, input.format.keepsErrorCode),
    };
  }
  const streamed = response.kind === 'event-stream';
  const read = await readResponse(deps, principal, input, streamed);
  const extracted = await readFiles(deps, principal, read);
  const restored = await restoredFrom(deps, principal, input, streamed, read.calls);
  const conversation = withHeaders(extracted);
  const { continues, systemSlots } = input;
  const evaluation = await evaluate(deps, principal, {
    ...subject,
    texts: { conversation, unread: extracted.unscanned },
    // Responses go on unchanged: clients are told what a policy would mask.
    delivery: 'told',
    answers: { systemSlots, restoredSlots: restored?.slots },
    place: continues && { conversation, identity: continues, follows: continues.request },
    calls: continues && {
      deps,
      input: callsOf(deps, principal, input, continues, (restored ?? read).calls),
    },
  });
  return {
    evaluation,
    streamed,
    unscanned: extracted.unscanned,
    signed: read.signed,
    restoredBody: restored?.body ?? null,
    headers: headers.shown(evaluation, extracted.slots.length),
    rejection: null,
  };
}

/** Returns the response with values of the request restored, parsed again; null if nothing is restored. */
async function restoredFrom(
  deps: Pick<ResponseDeps, 'pacedTurns'>,
  principal: Principal,
  input: ResponseToEvaluate,
  isStream: boolean,
  calls: readonly ToolCall[],
): Promise<(ReadResponse & { readonly body: Buffer }) | null> {
  const { restores, format, response } = input;
  if (restores == null || restores.values.size === 0) return null;
  const isAmazon = isAmazonStream(response.headers['content-type']);
  const framing = isAmazon ? await framingOf(AMAZON_STREAM) : undefined;
  const whole = { format, framing, body: response.body, isStream, calls };
  const body = await deps.pacedTurns.run(principal, restoreBody(restores, whole));
  if (body === null) return null;
  const restored = { ...input, response: { ...response, body }, decoded: {} };
  const read = await readResponse(deps, principal, restored, isStream);
  return { ...read, body };
}

function callsOf(
  { clock }: Pick<ResponseDeps, 'clock'>,
  { actor, projectId }: Principal,
  { provider, model }: ResponseToEvaluate,
  { request, body, sessionId, startsAfter, tainted = [] }: ContinuedConversation,
  calls: readonly ToolCall[],
): NonNullable<Subject['calls']>['input'] {
  return {
    ...{ calls, subject: 'response', listing: listingsOf, agentId: 'model proxy', sessionId },
    history: { conversation: request, body, tainted },
    policyContext: {
      ...{ host: destinationOf(provider), provider: provider.name, model },
      atMs: clock.now(),
    },
    identify: inConversation(projectId, () => conversationKeys(request, actor, sessionId, startsAfter)),
  };
}

function readRejectionTexts(rejection: ProviderRejection): ExtractedBody & { readonly source: string } {
  const source = JSON.stringify(rejection);
  return { ...readLeafTexts(rejection, 'assistant', () => source), source };
}

/** Returns the provider's error with masks applied; null if the verdict blocks its texts. */
function shownRejection(
  source: string,
  slots: readonly TextSlot[],
  { decision, verdict }: Evaluation,
): ProviderRejection | null {
  if (decision === 'block') return null;
  return JSON.parse(writeTexts(source, replacementsByPath(slots, verdict.replacements)));
}

/** Log probabilities, with their alternatives and bytes, are millions of numbers. */
const RESPONSE_BOUNDS: JsonBounds = { members: 2_000_000, items: 10_000_000 };

/** A successful response, decoded: the text of a stream, or JSON. Empty: it cannot be read, and is rejected later. */
export interface ResponseBody {
  readonly text?: string;
  readonly json?: StrictJson;
}

/** Decodes a response once for all who read it. */
export async function decodeResponse(
  { pacedTurns }: Pick<ResponseDeps, 'pacedTurns'>,
  owner: WorkOwner,
  response: UpstreamResponse,
): Promise<ResponseBody> {
  if (response.status < 200 || response.status > 299) return {};
  try {
    if (response.kind === 'event-stream')
      return { text: await streamText(response, (work) => pacedTurns.run(owner, work)) };
    return { json: await parseResponse({ pacedTurns }, owner, response) };
  } catch {
    return {};
  }
}

async function parseResponse(
  { pacedTurns }: Pick<ResponseDeps, 'pacedTurns'>,
  owner: WorkOwner,
  { body }: UpstreamResponse,
): Promise<StrictJson> {
  const source = decodeUtf8(body);
  return { value: await pacedTurns.run(owner, parseStrictJsonInSteps(source, RESPONSE_BOUNDS)), source };
}

interface ReadResponse extends ExtractedBody {
  readonly calls: readonly ToolCall[];
}

async function readResponse(
  deps: Pick<ResponseDeps, 'pacedTurns'>,
  owner: WorkOwner,
  { format, provider, response, decoded = {} }: ResponseToEvaluate,
  streamed: boolean,
): Promise<ReadResponse> {
  try {
    if (streamed) {
      const text = decoded.text ?? (await streamText(response, (work) => deps.pacedTurns.run(owner, work)));
      return await deps.pacedTurns.run(owner, format.readStreamInSteps(text));
    }
    const json = decoded.json ?? (await parseResponse(deps, owner, response));
    const { value, source } = json;
    return await deps.pacedTurns.run(
      owner,
      format.readResponseInSteps(value, () => source),
    );
  } catch (cause) {
    if (streamed) throw providerError(provider, 'malformed_stream', cause);
    if (cause instanceof BodyError) throw providerError(provider, 'not_json', cause);
    throw cause;
  }
}
