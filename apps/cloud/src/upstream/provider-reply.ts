import type { CodedError } from '@csg/shared/contract';
import type { Provider } from './providers.ts';
import type { UpstreamAnswer } from './send.ts';

/** The vendor's headers that a client may see, by lower-case name; for answers of every status. */
export declare function replyHeaders(
  provider: Provider,
  headers: UpstreamAnswer['headers'],
): Record<string, string>;

/** A non-2xx answer, read. `message` is the vendor's own text: scan it before it is shown. */
export interface ProviderRefusal {
  readonly status: number;
  /** At most 2,000 characters; empty when there is none to read. */
  readonly message: string;
  readonly code: string | null;
  readonly type: string | null;
  readonly param: string | null;
}
export declare function readRefusal(answer: UpstreamAnswer): ProviderRefusal;

/**
 * The refusal in our envelope, with the headers of `replyHeaders`. `shown` is the vendor's text after the scan
 * (redacted if need be), null to withhold it.
 */
export declare function refusalError(
  provider: Provider,
  answer: UpstreamAnswer,
  refusal: ProviderRefusal,
  shown: string | null,
): CodedError;
