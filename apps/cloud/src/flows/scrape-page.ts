import {
  CodedError,
  DEFAULT_SCRAPE_TIMEOUT_S,
  type ScrapeRequest,
  type ScrapeResponse,
  type ScrapeThreat,
  type ThreatType,
  type UnscannedReason,
  ValidationError,
} from '@csg/shared/contract';
import { conversationOf } from '@csg/shared/text';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import type { FileReader } from '../files/file-reader.ts';
import { DENY_REASONS } from '../outbound/address-denied.ts';
import type { FetchedPage, PageFetcher } from '../scrape/fetch-page.ts';
import { findThreats, type PageSlot } from '../scrape/find-threats.ts';
import { PageError, type PageErrorReason } from '../scrape/page-error.ts';
import type { PageReader } from '../scrape/page-reader.ts';
import { PageTexts } from '../scrape/page-texts.ts';
import type { ExtractedPage } from '../scrape/read-page.ts';
import type { PageRenderer } from '../scrape/render/render-page.ts';
import { noteTaint, type TaintDeps } from './agent/note-taint.ts';
import type { Principal } from './authenticate-key.ts';
import { type EvaluateDeps, type Evaluation, evaluate } from './decision/evaluate.ts';

export interface ScrapePageDeps extends EvaluateDeps, TaintDeps {
  readonly storage: EvaluateDeps['storage'] & TaintDeps['storage'];
  readonly files: Pick<FileReader, 'read'>;
  readonly pages: PageSource;
}

/** `render` is null if there is no browser. */
export interface PageSource extends PageFetcher, PageReader {
  readonly render: PageRenderer['render'] | null;
}

const NOT_RUN = 'The page was not returned, because the engine that scans it could not run.';

/**
 * Fetches a page, reads its visible and hidden content, and returns it unless it contains a threat. Always fails
 * closed: a page that was not scanned is never reported as safe.
 */
export async function scrapePage(
  deps: ScrapePageDeps,
  principal: Principal,
  request: ScrapeRequest,
  requestId: string,
  ipAddress?: string,
): Promise<{ response: ScrapeResponse; evaluation: Evaluation }> {
  const { url, page } = await takePage(deps, principal, request);
  const slots: PageSlot[] = [];
  const evaluation = await evaluate(deps, principal, {
    recorded: { route: 'scrape', model: null, requestId, ipAddress },
    direction: 'input',
    texts: { conversation: conversationOf(slots, 'document'), unread: [] },
    delivery: 'whole',
    destination: { host: URL.parse(url)?.hostname },
    scan: async () => {
      const scanned = await deps.scanner.scan(principal, page.texts, principal.ruleset, 'input');
      const found = findThreats(page, url, scanned);
      for (const slot of found.slots) slots.push(slot);
      // All findings are in the page, so they have the role of a document.
      const findings = found.findings.map((finding) => ({ ...finding, role: 'document' as const }));
      return [{ direction: 'input', findings }];
    },
    ...{ failMode: 'closed', failMessage: NOT_RUN },
  });
  await noteTaint(deps, principal, request.session_id, 'scrape', slots, evaluation.verdict.findings);
  const isBlocked = evaluation.decision === 'block';
  const threats = new Set(evaluation.verdict.threats.map((threat) => NAMES[threat.type] ?? 'hidden_content'));
  return {
    evaluation,
    response: {
      url: request.url,
      status: isBlocked ? 'blocked' : 'safe',
      content: isBlocked ? '' : page.content,
      threats_detected: [...threats],
      message: messageFor(evaluation),
    },
  };
}

async function takePage(
  deps: ScrapePageDeps,
  owner: WorkOwner,
  request: ScrapeRequest,
): Promise<{ url: string; page: ExtractedPage }> {
  try {
    const timeoutMs = (request.timeout ?? DEFAULT_SCRAPE_TIMEOUT_S) * 1000;
    const fetched =
      request.render_js === true
        ? await render(deps, request.url, timeoutMs)
        : await deps.pages.fetch(request.url, timeoutMs);
    const page =
      fetched.bytes === undefined
        ? await deps.pages.read(owner, fetched, request.extract_text !== false)
        : await readPdfPage(deps.files, fetched.bytes, owner);
    return { url: fetched.url, page };
  } catch (error) {
    throw error instanceof PageError ? toScrapeError(error) : error;
  }
}

/** Renders a page. Content that a browser does not show as a page is fetched without one. */
async function render(deps: ScrapePageDeps, url: string, timeoutMs: number): Promise<FetchedPage> {
  if (deps.pages.render === null) throw new CodedError('renderer_unavailable');
  const startedMs = deps.clock.elapsed();
  try {
    return await deps.pages.render(url, timeoutMs);
  } catch (error) {
    if (!(error instanceof PageError) || error.reason !== 'not_a_page') throw error;
    return await deps.pages.fetch(
      url,
      Math.max(1_000, Math.ceil(timeoutMs - (deps.clock.elapsed() - startedMs))),
    );
  }
}

const NAMES: Readonly<Partial<Record<ThreatType, ScrapeThreat>>> = {
  indirect_prompt_injection: 'indirect_prompt_injection',
  data_exfiltration: 'exfiltration_attempt',
  malicious_script: 'malicious_script',
  hidden_content: 'hidden_content',
};

function messageFor({ decision, verdict }: Evaluation): string {
  const reasons = [...new Set(verdict.threats.map((threat) => threat.details))].join(' ');
  if (decision === 'block') return `The page was blocked. ${reasons}`;
  return reasons === '' ? 'No threat was found.' : `The policy allows the page. ${reasons}`;
}

/** Maps an invalid address to a validation error of the body; everything else to a code. */
export function toScrapeError(error: PageError): CodedError | ValidationError {
  const { reason, denyReason, message, pageStatus } = error;
  if (denyReason === 'not_a_url' || denyReason === 'scheme') {
    return new ValidationError([{ loc: ['body', 'url'], msg: DENY_REASONS[denyReason], type: 'url' }]);
  }
  if (denyReason === 'unresolvable') {
    return new CodedError('page_unreachable', {
      message: DENY_REASONS[denyReason],
      cause: error,
      fields: { reason: denyReason },
    });
  }
  switch (reason) {
    case 'address_refused':
      return new CodedError('address_refused', {
        message: denyReason === undefined ? message : DENY_REASONS[denyReason],
        fields: { reason: denyReason ?? reason },
      });
    case 'timeout':
      return new CodedError('page_timeout', { cause: error });
    case 'too_large':
    case 'unsupported_type':
    case 'pdf':
    case 'encrypted':
    case 'not_a_page':
    case 'bad_encoding':
    case 'too_deep':
      return new CodedError('page_not_supported', { message, fields: { reason } });
    case 'unreachable':
    case 'certificate':
    case 'cut_off':
    case 'page_status':
    case 'too_many_redirects':
    case 'redirect_loop':
      return new CodedError('page_unreachable', {
        message,
        cause: error,
        // JSON omits undefined fields.
        fields: { reason, page_status: pageStatus },
      });
  }
}

/**
 * Reads a PDF as a page. Rejects with PageError unless all pages with text were read: unread content is never returned
 * as safe.
 */
export async function readPdfPage(
  files: Pick<FileReader, 'read'>,
  bytes: Uint8Array,
  owner: WorkOwner,
): Promise<ExtractedPage> {
  const [extracted] = await files.read([Buffer.from(bytes)], owner);
  const { texts, unread } = extracted!;
  for (const { reason, mayHold } of unread) {
    if (mayHold === 'text' && reason !== 'no_text_extracted')
      throw new PageError(PDF_ERRORS[reason] ?? 'pdf');
  }
  const page = new PageTexts();
  for (const { part, text } of texts) page.add(part === 'text' ? 'visible' : part, text);
  const content = texts.filter(({ part }) => part === 'visible').map(({ text }) => text);
  return { content: content.join('\n'), texts: page.all(), scripts: [], loads: [], forms: [] };
}

const PDF_ERRORS: Readonly<Partial<Record<UnscannedReason, PageErrorReason>>> = {
  too_large: 'too_large',
  encrypted: 'encrypted',
};
