import type { CodedError, Unscanned } from '@csg/shared/contract';
import type { BodyReading, WireFormat } from '@csg/shared/providers';
import {
  applyReplacements,
  BodyFault,
  type Conversation,
  conversationOf,
  type JsonBounds,
  parseStrictJson,
  type TextSlot,
  withSlots,
} from '@csg/shared/text';
import { providerError } from '../upstream/provider-error.ts';
import { type ProviderRejection, readRejection, rejectionError } from '../upstream/provider-rejection.ts';
import type { Provider } from '../upstream/providers.ts';
import { replyHeaders } from '../upstream/reply-headers.ts';
import type { UpstreamResponse } from '../upstream/send.ts';
import { destinationOf } from './approvals/excuse-verdict.ts';
import type { Principal } from './authenticate-key.ts';
import { type JudgeDeps, type Judgement, judgeTexts } from './judge-texts.ts';
import { type ReadFilesDeps, readFiles } from './read-files.ts';
import { readReplyHeaders } from './read-reply-headers.ts';

export interface AnswerToJudge {
  readonly format: WireFormat;
  readonly provider: Provider;
  readonly answer: UpstreamResponse;
  readonly route: string;
  readonly model: string | null;
  readonly requestId: string;
  /** The developer's words in the request. */
  readonly told?: readonly TextSlot[];
  readonly ipAddress?: string | undefined;
}

export interface JudgedAnswer {
  readonly judgement: Judgement;
  readonly streamed: boolean;
  readonly unscanned: readonly Unscanned[];
  /** The vendor's headers that the client may see. */
  readonly headers: Readonly<Record<string, string>>;
  /** Set where the vendor said no: its refusal in our envelope, its text as far as it may be shown. */
  readonly refusal: CodedError | null;
}

/** Reads and judges what the vendor said, whole or streamed, accepted or refused. Rejects what cannot be read. */
export async function judgeAnswer(
  deps: JudgeDeps & ReadFilesDeps,
  principal: Principal,
  asked: AnswerToJudge,
): Promise<JudgedAnswer> {
  const { answer, provider } = asked;
  const texts = {
    route: asked.route,
    model: asked.model,
    requestId: asked.requestId,
    ipAddress: asked.ipAddress,
    direction: 'output' as const,
    destinationHost: destinationOf(provider),
    provider: provider.name,
  };
  const headers = readReplyHeaders(replyHeaders(provider, answer.headers));
  const withHeaders = (conversation: Conversation): Conversation =>
    withSlots(conversation, headers.slot === null ? [] : [headers.slot]);
  if (answer.status < 200 || answer.status > 299) {
    const refusal = readRejection(answer);
    const slots = refusalSlots(refusal);
    const judgement = await judgeTexts(deps, principal, {
      ...texts,
      conversation: withHeaders(conversationOf(slots, 'assistant')),
      unscanned: [],
      writtenUnder: '',
    });
    const shown = headers.shown(judgement, slots.length);
    return {
      judgement,
      streamed: false,
      unscanned: [],
      headers: shown,
      refusal: rejectionError(provider, refusal, shownRefusal(refusal, slots, judgement), shown),
    };
  }
  const streamed = answer.kind === 'event-stream';
  const read = readAnswer(asked, streamed);
  const reading = await readFiles(deps, principal, read);
  const judgement = await judgeTexts(deps, principal, {
    ...texts,
    conversation: withHeaders(reading),
    unscanned: reading.unscanned,
    model: asked.model,
    told: asked.told,
  });
  return {
    judgement,
    streamed,
    unscanned: reading.unscanned,
    headers: headers.shown(judgement, reading.slots.length),
    refusal: null,
  };
}

function refusalSlots(refusal: ProviderRejection): TextSlot[] {
  return (['message', 'code', 'type', 'param'] as const).flatMap((name) => {
    const text = refusal[name];
    return text === null ? [] : [{ path: `/error/${name}`, role: 'assistant', text }];
  });
}

/** A refusal as the verdict on its texts leaves it; null where they are withheld. */
function shownRefusal(
  refusal: ProviderRejection,
  slots: readonly TextSlot[],
  { decision, verdict }: Judgement,
): ProviderRejection | null {
  if (decision === 'block') return null;
  const masked = slots.flatMap(({ path, text }, index) => {
    const masks = verdict.replacements.get(index);
    return masks === undefined ? [] : [[path.slice('/error/'.length), applyReplacements(text, masks)]];
  });
  return { ...refusal, ...Object.fromEntries(masked) };
}

/** Log probabilities with their alternatives and bytes are millions of numbers. */
const ANSWER_BOUNDS: JsonBounds = { members: 2_000_000, items: 10_000_000 };

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readAnswer({ format, provider, answer }: AnswerToJudge, streamed: boolean): BodyReading {
  try {
    if (streamed) return format.readStream(utf8.decode(answer.body));
    const { value, source } = parseStrictJson(answer.body, ANSWER_BOUNDS);
    return format.readResponse(value, () => source);
  } catch (cause) {
    if (streamed) throw providerError(provider, 'malformed_stream', cause);
    if (cause instanceof BodyFault) throw providerError(provider, 'not_json', cause);
    throw cause;
  }
}
