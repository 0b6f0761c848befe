import { type Decision, type ThreatType, VERDICT_HEADERS } from '@csg/shared/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Content of the four `X-Service-*` headers of a response. */
export interface VerdictSummary {
  readonly eventId: string;
  readonly decision: Decision;
  readonly confidence: number;
  readonly threatType: ThreatType | null;
  /** Duration of the scan, for Server-Timing. */
  readonly scanMs?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    verdict: VerdictSummary | null;
  }
}

const TIMING = 'Server-Timing';

/** Formats milliseconds with up to three decimal places, for Server-Timing. */
export function formatMs(ms: number): string {
  return String(Math.round(ms * 1000) / 1000);
}

/** Adds a verdict to every developer API response; if nothing was scanned: allow, 0.0, none, a new event id. */
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

/** The developer API, including the prefixes used by providers' packages. */
const DEVELOPERS = /^\/api\/(?:v1|v1beta|openai)\//;

/** Checks the URL as sent and the route's own: /%61pi is another spelling of /api. */
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

/** Formats 0.0 to 1.0 with one to four decimal places. */
function formatConfidence(confidence: number): string {
  const rounded = String(Math.round(confidence * 10_000) / 10_000);
  return rounded.includes('.') ? rounded : `${rounded}.0`;
}
