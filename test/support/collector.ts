import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import protobuf from 'protobufjs';
import { startGateway } from './gateway.ts';
import { startTestProvider } from './test-provider.ts';

type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface ReceivedSpan {
  readonly name: string;
  /** By OTLP's numbers: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly startUs: number;
  readonly endUs: number;
  readonly attributes: Attributes;
  readonly status: { readonly code: number; readonly message: string };
  readonly resource: Attributes;
}

export interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly kind: 'sum' | 'gauge' | 'histogram';
  readonly attributes: Attributes;
  /** The sum of a histogram. */
  readonly value: number;
  readonly count: number;
  readonly bucketCounts: readonly number[];
  readonly bounds: readonly number[];
  readonly resource: Attributes;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As received. */
  readonly body: Buffer;
}

export interface Collector {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  spans(): ReceivedSpan[];
  /** The points of the latest export. */
  points(): ReceivedPoint[];
  /** Sets the status of responses from now on; `hang`: no response. */
  answer(status: number | 'hang'): void;
  close(): Promise<void>;
}

/** The parts of opentelemetry-proto that are read here. */
const PROTO = `
syntax = "proto3";
message AnyValue { oneof value { string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4; } }
message KeyValue { string key = 1; AnyValue value = 2; }
message Resource { repeated KeyValue attributes = 1; }
message Status { string message = 2; int32 code = 3; }
message Span {
  bytes traceId = 1; bytes spanId = 2; string traceState = 3; bytes parentSpanId = 4; string name = 5; int32 kind = 6;
  fixed64 startTimeUnixNano = 7; fixed64 endTimeUnixNano = 8; repeated KeyValue attributes = 9; Status status = 15;
}
message ScopeSpans { repeated Span spans = 2; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; }
message TracesRequest { repeated ResourceSpans resourceSpans = 1; }
message NumberDataPoint { repeated KeyValue attributes = 7; double asDouble = 4; sfixed64 asInt = 6; }
message HistogramDataPoint {
  repeated KeyValue attributes = 9; fixed64 count = 4; double sum = 5;
  repeated fixed64 bucketCounts = 6; repeated double explicitBounds = 7;
}
message Gauge { repeated NumberDataPoint dataPoints = 1; }
message Sum { repeated NumberDataPoint dataPoints = 1; }
message Histogram { repeated HistogramDataPoint dataPoints = 1; }
message Metric { string name = 1; string unit = 3; Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; }
message ScopeMetrics { repeated Metric metrics = 2; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scopeMetrics = 2; }
message MetricsRequest { repeated ResourceMetrics resourceMetrics = 1; }
`;
const { root } = protobuf.parse(PROTO);

/** A receiver of OTLP over HTTP on loopback, protobuf or JSON. */
export async function startCollector(): Promise<Collector> {
  const requests: ReceivedRequest[] = [];
  let answer: number | 'hang' = 200;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces) });
      if (answer !== 'hang') response.writeHead(answer).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const of = (path: string) => requests.filter((request) => request.path === path);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => of('/v1/traces').flatMap(readSpans),
    points: () => of('/v1/metrics').slice(-1).flatMap(readPoints),
    answer(next) {
      answer = next;
    },
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire, read below.
type Message = any;

/** Decodes both encodings into JSON's form, with ids in hex. */
function decode({ headers, body }: ReceivedRequest, type: string): Message {
  if (headers['content-type'] === 'application/json') return JSON.parse(body.toString());
  if (headers['content-type'] !== 'application/x-protobuf') {
    throw new Error(`the collector was sent ${headers['content-type']}`);
  }
  const message = root.lookupType(type);
  return message.toObject(message.decode(body), { longs: String, defaults: true, oneofs: false });
}

function readSpans(request: ReceivedRequest): ReceivedSpan[] {
  const { resourceSpans } = decode(request, 'TracesRequest') as Message;
  return resourceSpans.flatMap(({ resource, scopeSpans }: Message) =>
    scopeSpans.flatMap(({ spans }: Message) =>
      spans.map((span: Message) => ({
        name: span.name,
        kind: span.kind,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId ?? ''),
        startUs: Number(BigInt(span.startTimeUnixNano) / 1000n),
        endUs: Number(BigInt(span.endTimeUnixNano) / 1000n),
        attributes: readAttributes(span.attributes),
        status: { code: span.status?.code ?? 0, message: span.status?.message ?? '' },
        resource: readAttributes(resource.attributes),
      })),
    ),
  );
}

function readPoints(request: ReceivedRequest): ReceivedPoint[] {
  const { resourceMetrics } = decode(request, 'MetricsRequest') as Message;
  return resourceMetrics.flatMap(({ resource, scopeMetrics }: Message) =>
    scopeMetrics.flatMap(({ metrics }: Message) =>
      metrics.flatMap((metric: Message) => {
        const kind = metric.sum ? 'sum' : metric.histogram ? 'histogram' : 'gauge';
        return metric[kind].dataPoints.map((point: Message) => ({
          metric: metric.name,
          unit: metric.unit,
          kind,
          attributes: readAttributes(point.attributes),
          value: Number(point.asDouble ?? point.sum ?? point.asInt),
          count: Number(point.count ?? 0),
          bucketCounts: (point.bucketCounts ?? []).map(Number),
          bounds: point.explicitBounds ?? [],
          resource: readAttributes(resource.attributes),
        }));
      }),
    ),
  );
}

function readAttributes(list: Message[]): Attributes {
  return Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
}

function hex(id: string | Uint8Array): string {
  return typeof id === 'string' ? id : Buffer.from(id).toString('hex');
}

export const isServer = (span: ReceivedSpan): boolean => span.kind === 2;

/** Starts a gateway that exports to a collector, with a provider behind it; all end with the test. */
export async function startObservedGateway(t: TestContext, env: Record<string, string> = {}) {
  const collector = await startCollector();
  const testProvider = await startTestProvider();
  const gateway = await startGateway({
    providerUrl: testProvider.url,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20', ...env },
  });
  t.after(async () => {
    await gateway.close();
    await Promise.all([collector.close(), testProvider.close()]);
  });
  return { collector, testProvider, gateway };
}
