import { type Decision, type ThreatType, VERDICT_HEADERS } from '@csg/shared/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What the four `X-Service-*` headers of a response say. */
export interface VerdictSummary {
  readonly eventId: string;
  readonly decision: Decision;
  readonly confidence: number;
  readonly threatType: ThreatType | null;
  /** Time that scanning took, for Server-Timing. */
  readonly scanMs?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    verdict: VerdictSummary | null;
  }
}

const TIMING = 'Server-Timing';

/** Milliseconds with three digits behind the point, as Server-Timing has them. */
export function formatMs(ms: number): string {
  return String(Math.round(ms * 1000) / 1000);
}

/** Every response of the developers' interface carries a verdict; where nothing was scanned: allow, 0.0, none, a fresh event id. */
export function registerVerdictHeaders(app: FastifyInstance, newEventId: () => string): void {
  app.decorateRequest('verdict', null);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isDevelopers(request) && !reply.hasHeader(VERDICT_HEADERS.decision)) {
      writeVerdict(
        reply,
        request.verdict ?? { eventId: newEventId(), decision: 'allow', confidence: 0, threatType: null },
      );
    }
    done(null, payload);
  });
}

/** Of programs, the prefixes of providers' packages included. */
const DEVELOPERS = /^\/api\/(?:v1|v1beta|openai)\//;

/** By the address as sent, or by the route's own: /%61pi is another spelling of /api. */
function isDevelopers(request: FastifyRequest): boolean {
  return DEVELOPERS.test(request.url) || DEVELOPERS.test(request.routeOptions.url ?? '');
}

export function verdictHeaders(verdict: VerdictSummary): Record<string, string> {
  return {
    [VERDICT_HEADERS.eventId]: verdict.eventId,
    [VERDICT_HEADERS.decision]: verdict.decision,
    [VERDICT_HEADERS.confidence]: formatConfidence(verdict.confidence),
    [VERDICT_HEADERS.threatType]: verdict.threatType ?? 'none',
  };
}

function writeVerdict(reply: FastifyReply, verdict: VerdictSummary): void {
  reply.headers(verdictHeaders(verdict));
  if (verdict.scanMs !== undefined && !reply.hasHeader(TIMING)) {
    reply.header(TIMING, `scan;dur=${formatMs(verdict.scanMs)}`);
  }
}

/** 0.0 to 1.0 with at least one and at most four digits behind the point. */
function formatConfidence(confidence: number): string {
  const rounded = String(Math.round(confidence * 10_000) / 10_000);
  return rounded.includes('.') ? rounded : `${rounded}.0`;
}
