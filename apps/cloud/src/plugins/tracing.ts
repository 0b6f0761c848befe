import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BegunTrace, Traces } from '../telemetry/telemetry.ts';

/** Polled frequently by programs, and the channel of devices, which stays open for days. */
const UNTRACED = /^\/(?:health|metrics|api\/v1(?:\/proxy)?\/(?:health|devices\/channel))/;

const TRACE = Symbol('trace');
type TracedMessage = IncomingMessage & { [TRACE]?: BegunTrace };

/** App options: a request's trace begins with its log, whose lines have a `trace_id`. */
export function tracedLogs(traces: Traces) {
  return {
    childLoggerFactory(
      log: FastifyBaseLogger,
      bindings: Record<string, unknown>,
      options: object,
      request: TracedMessage,
    ): FastifyBaseLogger {
      const trace = traces.begin(request.headers);
      request[TRACE] = trace;
      bindings['trace_id'] = trace.traceId;
      return log.child(bindings, options);
    },
  };
}

/** Ends the trace of a request when its response is sent or its client disconnects. */
export function registerTracing(app: FastifyInstance, traces: Traces): void {
  app.addHook('onRequest', (request, reply, done) => {
    const trace = (request.raw as TracedMessage)[TRACE];
    if (trace !== undefined && !UNTRACED.test(request.routeOptions.url ?? '')) {
      traces.attach(request.id, trace);
      reply.raw.on('close', () => {
        // In the next turn, so that the trace includes what the disconnect itself ends.
        if (reply.raw.writableFinished) endTrace(traces, trace, request, reply);
        else setImmediate(endTrace, traces, trace, request, reply);
      });
    }
    done();
  });
}

function endTrace(traces: Traces, trace: BegunTrace, request: FastifyRequest, reply: FastifyReply): void {
  traces.end(trace, {
    method: request.method,
    route: request.routeOptions.url,
    status: reply.raw.writableFinished ? reply.statusCode : null,
    requestId: request.id,
    projectId: request.principal?.projectId ?? null,
    verdict: request.verdict,
  });
}
