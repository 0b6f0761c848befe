import { once } from 'node:events';
import path from 'node:path';
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const PROTO = path.resolve(import.meta.dirname, '../../docs/examples/ext-proc.proto');
const LIMITS = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };

export type Mode = 'BUFFERED' | 'STREAMED' | 'FULL_DUPLEX_STREAMED';
export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** The body in chunks, as sent over the network. */
  readonly chunks: readonly Buffer[];
  readonly hasTrailers?: boolean;
}
export interface EnvoyResult {
  readonly status: number;
  readonly body: string;
  /** The request that reached the upstream; null if none did. */
  readonly forwarded: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } | null;
}

interface Common {
  readonly header_mutation?: { readonly remove_headers: readonly string[] };
  readonly body_mutation?: { readonly body?: Buffer; readonly clear_body?: boolean };
}
interface Reply {
  readonly response: string;
  readonly immediate_response?: { readonly status: { readonly code: number }; readonly body: Buffer };
  readonly [kind: string]: unknown;
}
interface Call {
  write(message: object): void;
  end(): void;
  cancel(): void;
  on(event: string, listener: (value: never) => void): void;
}

class Stopped extends Error {
  readonly status: number;
  constructor(status: number, body: string) {
    super(body);
    this.status = status;
  }
}

/** The gRPC client of the protocol, for messages as sent over the network. */
export function externalProcessor() {
  const { ExternalProcessor } = (
    grpc.loadPackageDefinition(loadSync(PROTO, { enums: String, oneofs: true, keepCase: true })) as never as {
      envoy: { service: { ext_proc: { v3: { ExternalProcessor: grpc.ServiceClientConstructor } } } };
    }
  ).envoy.service.ext_proc.v3;
  return ExternalProcessor;
}

/**
 * A stand-in for Envoy with an external processor, written from its documentation: sends the parts of a request and of
 * its response, waits for one reply to each, and applies it. `failure_mode_allow` is off.
 */
export function startEnvoy(address: string) {
  const client = new (externalProcessor())(address, grpc.credentials.createInsecure(), LIMITS);
  const open = (): Call => (client as unknown as { Process(): Call }).Process();

  async function exchange(
    mode: Mode,
    request: HttpMessage,
    respond: (body: Buffer) => HttpMessage,
  ): Promise<EnvoyResult> {
    const call = open();
    const replies: Reply[] = [];
    let failure: Error | null = null;
    let wake = Promise.withResolvers<void>();
    call.on('data', (reply: Reply) => {
      replies.push(reply);
      wake.resolve();
    });
    call.on('error', (error: Error) => {
      failure = error;
      wake.resolve();
    });
    const ask = async (kind: string, message: object, more: object = {}): Promise<Common> => {
      call.write({ [kind]: message, ...more });
      while (replies.length === 0 && failure === null) await wake.promise;
      wake = Promise.withResolvers<void>();
      if (failure !== null) throw new Stopped(500, String(failure));
      const reply = replies.shift()!;
      if (reply.immediate_response !== undefined && reply.immediate_response !== null)
        throw new Stopped(reply.immediate_response.status.code, reply.immediate_response.body.toString());
      if (reply.response !== kind) throw new Error(`${reply.response} came in reply to ${kind}`);
      return (reply[kind] as { response?: Common } | undefined)?.response ?? {};
    };
    const pass = async (name: string, { headers, chunks, hasTrailers = false }: HttpMessage) => {
      const sent = {
        headers: Object.entries(headers).map(([key, value]) => ({ key, raw_value: Buffer.from(value) })),
      };
      const modes = { protocol_config: { request_body_mode: mode, response_body_mode: mode } };
      const first = await ask(
        `${name}_headers`,
        { headers: sent, end_of_stream: chunks.length === 0 },
        name === 'request' ? modes : {},
      );
      const removed = new Set(first.header_mutation?.remove_headers);
      const kept = Object.fromEntries(Object.entries(headers).filter(([key]) => !removed.has(key)));
      const parts = mode === 'BUFFERED' && chunks.length > 0 ? [Buffer.concat(chunks)] : chunks;
      const passed: Buffer[] = [];
      for (const [index, body] of parts.entries()) {
        const end_of_stream = index === parts.length - 1 && !hasTrailers;
        const { body_mutation: mutation } = await ask(`${name}_body`, { body, end_of_stream });
        if (mutation?.clear_body !== true) passed.push(mutation?.body ?? body);
      }
      if (hasTrailers) await ask(`${name}_trailers`, { trailers: { headers: [] } });
      return { headers: kept, body: Buffer.concat(passed) };
    };
    let forwarded: EnvoyResult['forwarded'] = null;
    try {
      forwarded = await pass('request', request);
      const { body } = await pass('response', respond(forwarded.body));
      return { status: 200, body: body.toString(), forwarded };
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return { status: error.status, body: error.message, forwarded };
    } finally {
      call.end();
    }
  }

  return {
    exchange,
    /** Starts a request and cuts its stream. */
    async cut(): Promise<void> {
      const call = open();
      const failed = once(call as never, 'error');
      call.write({ request_headers: { headers: { headers: [] } } });
      call.cancel();
      await failed;
    },
    close: () => client.close(),
  };
}
