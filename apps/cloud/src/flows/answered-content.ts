import type { ExtractedBody } from '@csg/shared/providers';
import type { PacedTurns } from '../fairness/paced-turns.ts';
import type { Storage } from '../storage/storage.ts';
import type { Provider } from '../upstream/providers.ts';
import type { Principal } from './authenticate-key.ts';
import type { Clock } from './clock.ts';
import type { ResponseBody, ResponseToEvaluate } from './evaluate-response.ts';
import type { RelayRequest } from './relay-request.ts';

/** How long a response counts as read. */
const KEPT_MS = 30 * 86_400_000;

interface AnsweredDeps {
  readonly storage: Pick<Storage, 'conversationNotes'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Removes from the unread parts of a request those that are responses, or parts of responses, evaluated here before.
 * `session`: that of the first of them.
 */
export async function withoutAnswered<R extends Pick<ExtractedBody, 'unscanned'>>(
  { storage: { conversationNotes }, clock }: AnsweredDeps,
  principal: Principal,
  provider: Provider,
  body: R,
): Promise<{ readonly body: R; readonly session: string | undefined }> {
  const keys = new Map(
    body.unscanned.flatMap((part) =>
      part.answeredId === undefined
        ? []
        : [[part, conversationNotes.keyOf(principal, 'answer', [provider.name, part.answeredId])] as const],
    ),
  );
  if (keys.size === 0) return { body, session: undefined };
  const known = await conversationNotes.find(principal, [...keys.values()], clock.now() - KEPT_MS);
  const unscanned = body.unscanned.filter((part) => !known.has(keys.get(part) ?? ''));
  return { body: { ...body, unscanned }, session: [...known.values()].find((session) => session !== '') };
}

/** Stores the ids of a response that was not blocked, as keyed digests, unless the provider does not keep it. */
export async function keepAnswered(
  { storage: { conversationNotes }, pacedTurns }: AnsweredDeps & { readonly pacedTurns: PacedTurns },
  principal: Principal,
  {
    provider,
    format,
    request,
  }: Pick<ResponseToEvaluate, 'provider' | 'format'> & { readonly request: Pick<RelayRequest, 'value'> },
  { text, json }: ResponseBody,
): Promise<void> {
  if ((request.value as { store?: unknown } | null)?.store === false) return;
  const ids =
    text === undefined
      ? format.readIds(json?.value)
      : await pacedTurns.run(principal, format.readStreamIds(text));
  if (ids.length === 0) return;
  const session = principal.labels?.session ?? '';
  const keys = ids.map((id) => conversationNotes.keyOf(principal, 'answer', [provider.name, id]));
  await conversationNotes.keep(principal, new Map(keys.map((key) => [key, session])));
}
