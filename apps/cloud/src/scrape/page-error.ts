import type { DenyReason } from '../outbound/address-denied.ts';

/** Why a page could not be fetched. The messages are for people and contain nothing of the page. */
export const PAGE_ERRORS = {
  address_refused: 'This address may not be fetched.',
  unreachable: 'The server could not be reached.',
  certificate: "The server's certificate is not valid.",
  cut_off: 'The server ended the response before it was complete.',
  page_status: 'The server responded with an error.',
  too_many_redirects: 'The address has too many redirects.',
  redirect_loop: 'The address has a redirect loop.',
  timeout: 'The page did not load in time.',
  too_large: 'The page is larger than 10 MB, or a PDF with too much content.',
  bad_encoding: 'The compression or character set of the page is not supported.',
  unsupported_type: 'Only HTML, XHTML, plain text, JSON, XML and PDF can be read.',
  not_a_page: 'This is not a page that a browser can show.',
  pdf: 'This PDF document cannot be read because it is damaged.',
  encrypted: 'This PDF document cannot be read because it requires a password.',
  too_deep: 'The elements of the page are nested too deeply.',
} as const;
export type PageErrorReason = keyof typeof PAGE_ERRORS;

export class PageError extends Error {
  readonly reason: PageErrorReason;
  /** Set if the reason is `address_refused`. */
  readonly denyReason: DenyReason | undefined;
  /** Set if the reason is `page_status`. */
  readonly pageStatus: number | undefined;
  constructor(
    reason: PageErrorReason,
    more: { readonly denyReason?: DenyReason; readonly pageStatus?: number; readonly cause?: unknown } = {},
  ) {
    super(PAGE_ERRORS[reason], more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'PageError';
    this.reason = reason;
    this.denyReason = more.denyReason;
    this.pageStatus = more.pageStatus;
  }
}
