import type { ServerResponse } from 'node:http';
import type { Direction } from '@csg/shared/contract';
import { oneErrorFrame } from '@csg/shared/providers';
import type { CompiledPolicy } from '../inspect/compile-policy.ts';
import { type Action, decideExchange } from '../inspect/decide-exchange.ts';
import { decideTexts } from '../inspect/decide-texts.ts';
import type { DecisionEvent } from '../inspect/decision-event.ts';
import type { AskGuard, GuardOutcome } from '../inspect/device-policy.ts';
import { rememberTurn } from '../inspect/judged-there.ts';
import { planTurn, type Turn } from '../inspect/plan-turn.ts';
import type { RequestReading } from '../inspect/request-reading.ts';
import { NO_MEMORY, type TextMemory } from '../inspect/text-memory.ts';
import type { JudgeSlots } from '../inspect/watch-stream.ts';
import type { ClientRequestStream } from './body-bytes.ts';
import type { ClientResponse, Forwarder } from './forward-request.ts';
import { breakClient, isHttp2 } from './relay-answer.ts';
import type { ScopeOf } from './scope-of.ts';

/** Where a connection leads, fixed when it was opened: what a request says of its host must fit. */
export interface Opened {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

export interface ExchangeDeps {
  readonly policy: () => CompiledPolicy;
  /** Null: there is no service, the device judges. */
  readonly ask: () => Asking | null;
  /** Of what was judged before. */
  readonly memory: TextMemory;
  readonly scopeOf: ScopeOf;
  readonly forwarder: Forwarder;
  readonly emit: (event: DecisionEvent) => void;
  readonly counters: ExchangeCounters;
  readonly now: () => number;
  readonly newEventId: () => string;
}

export interface Asking {
  readonly guard: AskGuard;
  readonly deadlineMs: number;
}

export interface ExchangeCounters {
  requests: number;
  blocked: number;
  redacted: number;
  noAnswers: number;
}

/** One request on an opened connection, from its first byte to the answer's last. */
export interface Exchange {
  readonly deps: ExchangeDeps;
  readonly opened: Opened;
  readonly request: ClientRequestStream;
  readonly response: ClientResponse;
  readonly method: string;
  readonly path: string;
  readonly compiled: CompiledPolicy;
}

/** Asks the service about what is new, and decides by what it says or does not say. */
export async function decideOn(
  exchange: Exchange,
  direction: Direction,
  reading: RequestReading,
): Promise<Action> {
  const { deps, compiled, opened } = exchange;
  const nowMs = deps.now();
  const memory = direction === 'input' ? deps.memory : NO_MEMORY;
  const scope = deps.scopeOf(compiled, { host: opened.host, model: reading.model, atMs: nowMs });
  const turn = planTurn({ reading, direction, host: opened.host, scope }, memory);
  const ask = turn === null ? null : deps.ask();
  const outcomes = turn === null || ask === null ? null : await askParts(turn, ask);
  if (outcomes?.some(({ kind }) => kind === 'no-answer')) deps.counters.noAnswers++;
  if (turn !== null) rememberTurn(turn, outcomes ?? [], reading.slots, memory);
  return decideExchange(compiled, {
    host: opened.host,
    path: exchange.path,
    method: exchange.method,
    direction,
    reading,
    turn,
    outcomes,
    nowMs: deps.now(),
    newEventId: deps.newEventId(),
  });
}

/** One after the other, as they stand in the conversation; what comes after a block or a silence is not asked about. */
export async function askParts(
  { parts }: Turn,
  { guard, deadlineMs }: Asking,
): Promise<readonly GuardOutcome[]> {
  const outcomes: GuardOutcome[] = [];
  for (const { question } of parts) {
    const outcome = await guard(question.request, deadlineMs);
    outcomes.push(outcome);
    if (outcome.kind === 'no-answer' || outcome.response.decision === 'block') break;
  }
  return outcomes;
}

/** The engine on the device, on texts that pass: nobody can wait for the service there. */
export function judgeHere({ compiled, opened, deps }: Exchange, direction: Direction): JudgeSlots {
  return (slots) => decideTexts(compiled, slots, direction, opened.host, deps.now());
}

export function block(exchange: Exchange, action: Action): void {
  if (action.kind !== 'block') return;
  const { deps, response, request } = exchange;
  deps.counters.blocked++;
  deps.emit(action.event);
  request.resume();
  reply(response, action.reply.status, action.reply.contentType, action.reply.body, {
    'x-content-security-event': action.event.eventId,
  });
}

/** Frame that ends an event stream that is held back in its middle. */
export function endStreamWith(response: ClientResponse, event: DecisionEvent, message: string): void {
  (response as ServerResponse).end(oneErrorFrame({ message, eventId: event.eventId }));
}

export function refuse(response: ClientResponse, status: number, message: string): void {
  if (response.headersSent) {
    breakClient(response);
    return;
  }
  const body = JSON.stringify({ error: { type: 'proxy_error', code: String(status), message } });
  reply(response, status, 'application/json; charset=utf-8', body, {});
}

export function reply(
  response: ClientResponse,
  status: number,
  contentType: string,
  body: string,
  more: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) return;
  const headers = {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...more,
  };
  if (isHttp2(response)) response.writeHead(status, headers);
  else (response as ServerResponse).writeHead(status, headers);
  (response as ServerResponse).end(body);
}
