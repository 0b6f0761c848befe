import type { DenyReason } from '../outbound/address-denied.ts';

/** Why a page could not be fetched. The messages are for people and contain nothing of the page. */
export const PAGE_ERRORS = {
  address_refused: 'This address is not fetched.',
  unreachable: 'The server could not be reached.',
  certificate: "The server's certificate is not valid.",
  cut_off: 'The server ended the answer before it was complete.',
  page_status: 'The server answered with an error.',
  too_many_redirects: 'The address leads through too many redirects.',
  redirect_loop: 'The address redirects in a circle.',
  timeout: 'The page did not arrive in time.',
  too_large: 'The page is larger than 10 MB, or a PDF with more in it than is read.',
  bad_encoding: 'The compression or character set of the page cannot be read.',
  unsupported_type: 'Only HTML, XHTML, plain text, JSON, XML and PDF can be read.',
  not_a_page: 'This is not a page that a browser shows.',
  pdf: 'This PDF document cannot be read: it is broken.',
  encrypted: 'This PDF document cannot be read: it opens with a password only.',
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
