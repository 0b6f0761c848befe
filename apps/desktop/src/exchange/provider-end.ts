import type {
  OpenUpstream,
  UpstreamEvents,
  UpstreamHead,
  UpstreamRequest,
} from '../upstream/open-request.ts';
import { createUnpacker, type Unpacker } from './unpack-response.ts';

/** The provider's side of one exchange: the request to it, and its response as received or decompressed. */
export interface ProviderEnd {
  /** Opens a request; the previous one, if any, has failed. */
  open(head: UpstreamHead): void;
  /** Returns false if the provider is slower than the client. */
  write(bytes: Uint8Array): boolean;
  end(trailers: readonly string[]): void;
  /** From here on the response is decompressed. */
  unpack(packing: string): void;
  pause(): void;
  resume(): void;
  /** No event follows the call. */
  abort(): void;
}

export function createProviderEnd(openUpstream: OpenUpstream, events: UpstreamEvents): ProviderEnd {
  let request: UpstreamRequest | null = null;
  let unpacker: Unpacker | null = null;

  const fail: UpstreamEvents['error'] = (error) => {
    unpacker?.destroy();
    events.error(error);
  };
  return {
    open(head) {
      request = openUpstream(head, {
        ...events,
        error: fail,
        bytes(bytes) {
          if (unpacker === null) events.bytes(bytes);
          else if (!unpacker.write(bytes)) request?.pause();
        },
        end(trailers) {
          if (unpacker === null) events.end(trailers);
          else unpacker.end(trailers);
        },
      });
    },
    write: (bytes) => request?.write(bytes) ?? true,
    end: (trailers) => request?.end(trailers),
    unpack(packing) {
      unpacker = createUnpacker(packing, {
        bytes: events.bytes,
        end: events.end,
        drain: () => request?.resume(),
        error() {
          request?.abort();
          fail({ code: 'BAD_PACKING', mayRepeat: false });
        },
      });
    },
    pause: () => (unpacker ?? request)?.pause(),
    resume: () => (unpacker ?? request)?.resume(),
    abort() {
      unpacker?.destroy();
      request?.abort();
    },
  };
}
