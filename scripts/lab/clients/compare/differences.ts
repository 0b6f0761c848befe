import type { ProviderRequest } from '../../../../test/support/test-provider.ts';
import type { SentRequest } from './tap.ts';

/** Headers that may differ, and why: the README lists them. Any other difference is reported. */
const HEADER_TABLE: Readonly<Record<string, string>> = {
  host: 'names the next hop',
  connection: 'of one hop',
  'keep-alive': 'of one hop',
  'transfer-encoding': 'of one hop: the gateway knows the length',
  'content-length': 'the gateway knows the length where the client sent chunks',
  'content-encoding': 'a body is decoded to be read',
  'accept-encoding': 'the gateway decodes answers itself and asks for what it can decode',
  authorization: 'the provider’s credential, stored on the project, takes the place of the key',
  'x-api-key': 'as above',
  'x-goog-api-key': 'as above',
  'x-request-id': 'the gateway’s own id of the request',
  'accept-language': 'set by Node’s fetch for browsers; no provider reads it',
  'sec-fetch-mode': 'as above',
};

export interface Difference {
  readonly what: 'body' | 'header' | 'missing' | 'calls' | 'shown' | 'failed';
  readonly detail: string;
}

/** Ways from a client to the provider. */
export type Way = 'gateway' | 'device';

export interface Compared {
  readonly client: string;
  readonly version: string;
  readonly task: string;
  /** By way; none: the client and the provider notice nothing. */
  readonly differences: Readonly<Partial<Record<Way, readonly Difference[]>>>;
  /** Calls to the provider without the gateway. */
  readonly calls: number;
}

/** Compares what a client sent with what the provider received in the same run. */
export function compareRequests(
  sent: readonly SentRequest[],
  received: readonly ProviderRequest[],
): Difference[] {
  const left = [...received];
  const take = (fits: (one: ProviderRequest) => boolean): ProviderRequest | undefined => {
    const at = left.findIndex(fits);
    return at === -1 ? undefined : left.splice(at, 1)[0];
  };
  // Whoever arrived unchanged is nobody else's partner: requests may overtake each other.
  const same = sent.map((request) => take((one) => isSame(request, one)));
  const headers = new Set<string>();
  const differences = sent.flatMap((request, index): Difference[] => {
    const partner = same[index] ?? take((one) => isAlike(request, one));
    const name = `${request.method} ${pathOf(request.url)}`;
    if (partner === undefined) return [{ what: 'missing', detail: `${name} → ${request.status}` }];
    for (const one of headerDifferences(request.rawHeaders, partner.rawHeaders)) headers.add(one);
    if (partner === same[index]) return [];
    return [{ what: 'body', detail: `${name}: ${firstDifference(request.body, partner.body)}` }];
  });
  return [...differences, ...[...headers].map((detail) => ({ what: 'header', detail }) as const)];
}

/** Below the base address, with the query. */
const pathOf = (url: string): string => url.replace(/^\/api(?=\/)/, '');

function isAlike({ method, url }: SentRequest, one: ProviderRequest): boolean {
  return one.method === method && pathOf(one.url) === pathOf(url);
}

function isSame(request: SentRequest, one: ProviderRequest): boolean {
  return isAlike(request, one) && one.body.equals(request.body);
}

function headerDifferences(sent: readonly string[], received: readonly string[]): string[] {
  const [before, after] = [namesOf(sent), namesOf(received)];
  const found: string[] = [];
  for (const [name, value] of before) {
    if (HEADER_TABLE[name] !== undefined) continue;
    if (!after.has(name)) found.push(`${name} is not sent`);
    else if (after.get(name) !== value) found.push(`${name} is changed`);
  }
  for (const name of after.keys())
    if (!before.has(name) && HEADER_TABLE[name] === undefined) found.push(`${name} is added`);
  return found;
}

function namesOf(raw: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (let i = 0; i + 1 < raw.length; i += 2) names.set(raw[i]!.toLowerCase(), raw[i + 1]!);
  return names;
}

/** The place where two bodies begin to differ, with a little of both. */
function firstDifference(sent: Buffer, received: Buffer): string {
  const [a, b] = [sent.toString(), received.toString()];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const cut = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 40), at + 40));
  return `at ${at}: ${cut(a)} arrives as ${cut(b)}`;
}

/** What a person sees, and what a provider is paid for, in two runs of one task. */
export interface Outcome {
  readonly calls: number;
  readonly shown: string;
  /** The agent did what the task is about. */
  readonly hasProof: boolean;
  /** False: it had to be stopped. */
  readonly hasEnded: boolean;
}

export function compareOutcomes(direct: Outcome, other: Outcome): Difference[] {
  const differences: Difference[] = [];
  if (direct.hasEnded && !other.hasEnded)
    differences.push({ what: 'failed', detail: 'it had to be stopped with it' });
  if (direct.calls !== other.calls)
    differences.push({ what: 'calls', detail: `${direct.calls} calls without it, ${other.calls} with it` });
  if (direct.shown !== other.shown)
    differences.push({
      what: 'shown',
      detail: firstDifference(Buffer.from(direct.shown), Buffer.from(other.shown)),
    });
  return differences;
}
