import { hiddenSentence } from '../normalize/transport-codes.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import type { Finding } from '../types.ts';
import { type Detector, type DetectorRow, place, type SlotView } from './detector.ts';
import { isFenced } from './fences.ts';

const MAX_ADDRESSES = 100;
const MAX_ADDRESS = 4_096;
const MAX_BEFORE = 300;
const ADDRESS_END = /[\s"'<>`)\]]/;

/** How an address is used: loaded as soon as it is shown, clicked by a reader, or called by a tool. */
type Use = 'loaded' | 'clicked' | 'called' | 'written';

const LOADED =
  /(?:!\[[^\]\n]{0,200}\]\(\s?<?|<(?:img|iframe|embed|source|video|audio|object|script|link)\b[^>]{0,250}\b(?:src|data|href)\s?=\s?["']?|url\(\s?["']?)$/i;
const CLICKED = /(?:\]\(\s?<?|\bhref\s?=\s?["']?)$/i;
const INVISIBLE =
  /\b(?:width|height)\s?[=:]\s?["']?[01](?:px)?\b|display\s?:\s?none|visibility\s?:\s?hidden|opacity\s?:\s?0(?:\.0+)?\b|\bhidden\b/i;
/** Names of parameters that typically carry parts of the conversation. */
const CARRIES =
  /^(?:data|secret|prompt|conversation|history|chat|messages?|memory|summary|context|user_?data|payload|exfil\w*|leak\w*|cookies?|stolen|dump|content|body|info|answer|reply)$/i;

/**
 * In responses and tool calls: addresses that carry the conversation away. A sentence in base64 or hex inside an
 * address is useless to a reader; an image is loaded without a click, and an invisible one is even more suspicious.
 */
const detectExfiltrationUrls: Detector = (view, findings) => {
  const isCall = view.slot.role === 'tool_call';
  if (view.direction !== 'output' && !isCall) return;
  const { text } = view.cleaned;
  let at = text.indexOf('://');
  for (let seen = 0; at >= 0 && seen < MAX_ADDRESSES; seen++) {
    const start = Math.max(0, text.startsWith('http', at - 4) ? at - 4 : at - 5);
    const until = text.slice(at, at + MAX_ADDRESS).search(ADDRESS_END);
    const end = until < 0 ? Math.min(text.length, at + MAX_ADDRESS) : at + until;
    const finding = judge(view, start, end, isCall);
    if (finding !== undefined) findings.push(finding);
    at = text.indexOf('://', end);
  }
};

export const EXFILTRATION_URLS = {
  detect: detectExfiltrationUrls,
  reach: [
    // the tag, the address, and whether the tag is visible
    { sign: /<[a-z!/?]|url\(/, before: 0, after: 1_300, ends: 'at a distance' },
    { sign: /!\[/, before: 0, after: Number.POSITIVE_INFINITY, ends: 'with the text' },
    // the address of a link
    { sign: 'an odd word', before: 5, after: 0, ends: 'with its word' },
  ],
} as const satisfies DetectorRow;

function judge(view: SlotView, start: number, end: number, isCall: boolean): Finding | undefined {
  const { text } = view.cleaned;
  const address = text.slice(start, end);
  if (address.length < 30 || !/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const use = isCall ? 'called' : useOf(text.slice(Math.max(0, start - MAX_BEFORE), start));
  const url = new URL(address);
  const confidence = confidenceOf(url, use, text.slice(start, end + 200));
  if (confidence === 0) return undefined;
  return {
    ...place(view, start, end),
    type: 'data_exfiltration',
    rule: `leak.address-${use}`,
    confidence: !isCall && isFenced(text, start) ? confidence / 2 : confidence,
    reason: 'Sends data out in a URL.',
  };
}

function useOf(before: string): Use {
  if (LOADED.test(before)) return 'loaded';
  return CLICKED.test(before) ? 'clicked' : 'written';
}

const CODED: Readonly<Record<Use, number>> = {
  loaded: ATTACK.addressLoaded,
  called: ATTACK.addressCalled,
  clicked: ATTACK.addressClicked,
  written: ATTACK.addressWritten,
};

function confidenceOf(url: URL, use: Use, tag: string): number {
  const values = [
    ...url.searchParams.values(),
    url.hash.slice(1),
    ...url.pathname.split('/'),
    ...url.hostname.split('.'),
  ];
  if (values.some(hiddenSentence)) return CODED[use];
  if (use !== 'loaded') return 0;
  const longest = Math.max(0, ...[...url.searchParams.values()].map(weightOf));
  if (longest >= 16 && INVISIBLE.test(tag.slice(0, tag.indexOf('>') + 1))) return ATTACK.addressInvisible;
  const carries = [...url.searchParams].some(([name, value]) => CARRIES.test(name) && weightOf(value) >= 12);
  return carries ? ATTACK.addressCarries : 0;
}

/** Counts characters that could be words of the conversation; numbers, sizes and colors are not. */
function weightOf(value: string): number {
  return /^[\d.,x#%-]*$|^[a-f\d-]{32,}$/i.test(value) ? 0 : value.length;
}
