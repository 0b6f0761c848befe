import type { IncomingHttpHeaders } from 'node:http';
import type { CodedError } from '@csg/shared/contract';
import type { Endpoint } from '@csg/shared/providers';
import type { Storage } from '../storage/storage.ts';
import type { PathParams } from '../upstream/path-params.ts';
import type { Provider } from '../upstream/providers.ts';
import type { Upstream } from '../upstream/send.ts';
import type { AdmitDeps } from './admit-request.ts';
import type { TaintDeps } from './agent/note-taint.ts';
import type { Timers } from './clock.ts';
import type { Evaluation } from './decision/evaluate.ts';
import type { ResponseDeps } from './evaluate-response.ts';
import type { HeaderDeps } from './read-request-headers.ts';
import type { UsageMeter } from './usage-report/usage-meter.ts';

export interface RelayDependencies extends AdmitDeps, HeaderDeps, ResponseDeps, TaintDeps {
  readonly storage: AdmitDeps['storage'] &
    ResponseDeps['storage'] &
    TaintDeps['storage'] &
    Pick<Storage, 'projects'>;
  readonly providers: readonly Provider[];
  readonly upstream: Pick<Upstream, 'send'>;
  readonly timers: Timers;
  readonly meter: Pick<UsageMeter, 'called'>;
  readonly metrics: { held(characters: number): void };
  readonly settings: { readonly streamHeadAfterMs: number };
}

export interface RelayRequest {
  readonly endpoint: Endpoint;
  /** Parameters from the endpoint's path. */
  readonly params: PathParams;
  readonly route: string;
  readonly query: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly source: string;
  readonly value: unknown;
  readonly requestId: string;
  readonly ipAddress?: string;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  /** Logs a failure after the head of a stream was sent, and returns the error that the client may see. */
  readonly onStreamFailure: (cause: unknown) => CodedError;
  /** Called with the verdict on a response whose head was already sent, before its last byte is. */
  readonly onStreamVerdict: (evaluation: Evaluation) => void;
}
