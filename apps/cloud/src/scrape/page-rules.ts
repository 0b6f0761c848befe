import type { ExtractedPage, PageForm } from './read-page.ts';

/** A finding from the code and URLs of a page; its test has positive and negative samples. */
export interface PageFinding {
  readonly type: 'malicious_script' | 'data_exfiltration';
  readonly rule: string;
  readonly confidence: number;
  readonly reason: string;
  /** The kind of position it was found in, for the record. */
  readonly path: string;
}

const TAKES =
  /document\s*(?:\.\s*cookie|\[\s*["']cookie["']\s*\])|(?:local|session)storage\s*(?:\.|\[)|clipboard\s*\.\s*read|type=["']?password|\.credentials\s*\.\s*get/i;
/** A call or assignment that sends data to a literal URL. */
const SENDS =
  /(?:\bfetch\s*\(|sendbeacon\s*\(|\.open\s*\(\s*["'`](?:get|post)["'`]\s*,|\.src\s*=|location(?:\.href)?\s*=|websocket\s*\(|axios\.\w+\s*\()\s*["'`]((?:https?:|wss?:)?\/\/[^"'`\s]{3,200})["'`$]?/gi;
/** Data appended to the URL or sent as the body. */
const WITH_DATA =
  /^[^;]{0,200}?(?:["'`]\s*\+|\$\{|,\s*\{[^}]{0,160}body\s*:|,\s*(?:document|json|local|btoa|data))/i;
/** Code this short has one purpose; in bundles reading and sending are close to each other by chance. */
const ONE_PURPOSE = 2_500;
const NEAR = 300;

interface CodeRule {
  readonly rule: string;
  readonly pattern: RegExp;
  readonly confidence: number;
  readonly reason: string;
}

const CODE_RULES: readonly CodeRule[] = [
  {
    rule: 'script.runs-decoded',
    pattern:
      /\b(?:eval|new\s+function|settimeout|document\.write(?:ln)?)\s*\(\s*(?:window\.)?(?:atob|unescape|decodeuricomponent\s*\(\s*(?:escape\s*\(\s*)?atob)\s*\(\s*["'`]/i,
    confidence: 0.85,
    reason: 'Runs encoded code.',
  },
  {
    rule: 'script.runs-characters',
    pattern: /\b(?:eval|document\.write)\s*\(\s*string\.fromcharcode\s*\((?:\s*\d{1,5}\s*,){20}/i,
    confidence: 0.85,
    reason: 'Runs code that is encoded as numbers.',
  },
  {
    rule: 'script.mines',
    pattern:
      /\bnew\s+(?:coinhive|cryptoloot|coinimp|deepminer)\s*\.|\b(?:coinhive|cryptonight)\.min\.js|cryptonight\.wasm/i,
    confidence: 0.9,
    reason: "Mines cryptocurrency on the visitor's computer.",
  },
  {
    rule: 'script.plants-command',
    pattern:
      /(?:clipboard\s*\.\s*writetext|execcommand\s*\(\s*["'`]copy)[^;]{0,200}(?:powershell(?:\.exe)?\s+-|mshta(?:\.exe)?\s+http|certutil\s+-urlcache|curl\s[^"'`;|]{1,120}\|\s*(?:ba|z)?sh\b)/i,
    confidence: 0.9,
    reason: 'Copies a command to the clipboard that downloads and runs a program.',
  },
  {
    rule: 'script.starts-shell',
    pattern:
      /wscript\.shell["'`]?\s*\)|activexobject\s*\(\s*["'`]shell\.application|powershell(?:\.exe)?\s+-(?:e|enc|encodedcommand)\s+[a-z0-9+/=]{20}/i,
    confidence: 0.85,
    reason: 'Starts programs on the computer of the visitor.',
  },
];

/** Data that only a conversation with a model has. */
const OURS =
  'conversation|chat_?history|chat_?log|system_?prompt|prompt|secrets?|password|passwd|api_?keys?|user_?data|user_?message|previous_?messages?|env_?vars?|access_?token|credentials?|tool_?results?|memory_?dump';
/** A URL with a placeholder for data. */
const WITH_PLACEHOLDER = new RegExp(
  `[?&/=]\\s*(?:(?:${OURS})=)?(?:\\{\\{?|\\[|<|%7b|\\$\\{|%5b)\\s*[a-z_ -]{0,40}?(?:${OURS})|[?&](?:${OURS})=(?:\\{|\\[|<|%7b|%5b|\\$\\{)`,
  'i',
);
const MARKDOWN_IMAGE = /!\[[^\]\n]{0,200}\]\(\s*<?(https?:\/\/[^\s)]{3,1000})/gi;
const OUR_FIELD = new RegExp(`^[^:]*:(?:${OURS})$`);
const WANTED_FIELD = /^password:|:(?:ssn|card_?number|cc-?number|cvv|cvc)$/;

/** Runs in linear time: every pattern is bounded, and code is read piece by piece. */
export function findInPage(
  page: Pick<ExtractedPage, 'scripts' | 'loads' | 'forms' | 'texts'>,
  pageUrl: string,
): PageFinding[] {
  const site = siteOf(pageUrl);
  const findings: PageFinding[] = [];
  for (const code of page.scripts) findInScript(code, site, findings);
  for (const address of page.loads) {
    if (isElsewhere(address, site) && WITH_PLACEHOLDER.test(address.slice(0, 2_000)))
      findings.push(exfiltration('beacon.image', 0.8, 'Loads a URL that sends data out.', '/load'));
  }
  for (const form of page.forms) findInForm(form, site, findings);
  for (const { text, path } of page.texts) {
    if (!text.includes('](')) continue;
    for (const [, address = ''] of text.matchAll(MARKDOWN_IMAGE)) {
      if (!isElsewhere(address, site) || !WITH_PLACEHOLDER.test(address)) continue;
      findings.push(
        exfiltration('beacon.markdown', 0.85, 'Contains an image whose URL sends data out.', path),
      );
      break;
    }
  }
  return findings;
}

function findInScript(code: string, site: string, findings: PageFinding[]): void {
  for (const { rule, pattern, confidence, reason } of CODE_RULES) {
    if (pattern.test(code))
      findings.push({ type: 'malicious_script', rule, confidence, reason, path: '/script' });
  }
  if (!TAKES.test(code)) return;
  for (const match of code.matchAll(SENDS)) {
    if (!isElsewhere(match[1] ?? '', site)) continue;
    const at = match.index;
    const rest = code.slice(at + match[0].length - 1, at + match[0].length + 400);
    if (!match[1]?.includes('${') && !WITH_DATA.test(rest)) continue;
    const around = code.slice(Math.max(0, at - NEAR), at + match[0].length + NEAR);
    if (code.length > ONE_PURPOSE && !TAKES.test(around)) continue;
    findings.push(
      exfiltration('script.sends-taken', 0.85, 'Sends secrets of the browser to another site.', '/script'),
    );
    return;
  }
}

function findInForm(form: PageForm, site: string, findings: PageFinding[]): void {
  if (!isElsewhere(form.action, site)) return;
  if (form.fields.some((field) => OUR_FIELD.test(field))) {
    findings.push(
      exfiltration(
        'form.asks-for-conversation',
        0.8,
        'Contains a form that sends a conversation to another site.',
        '/form',
      ),
    );
  } else if (form.fields.some((field) => WANTED_FIELD.test(field)) && isOddTarget(form.action)) {
    findings.push(
      exfiltration(
        'form.sends-password',
        0.7,
        'Contains a form that sends a password to a suspicious address.',
        '/form',
      ),
    );
  }
}

function exfiltration(rule: string, confidence: number, reason: string, path: string): PageFinding {
  return { type: 'data_exfiltration', rule, confidence, reason, path };
}

/** True for a URL without encryption or with an IP address as its host. */
function isOddTarget(address: string): boolean {
  return /^http:/i.test(address) || /^(?:https?:)?\/\/(?:[\d.]+|\[[0-9a-f:]+\])(?:[:/?#]|$)/i.test(address);
}

function isElsewhere(address: string, site: string): boolean {
  const host = /^\s*(?:(?:https?|wss?):)?\/\/([^/?#\s]{1,300})/i.exec(address)?.[1];
  return host !== undefined && siteOf(`http://${host}`) !== site;
}

/** Returns the last two labels of the host name, a sufficient approximation of its owner. */
function siteOf(url: string): string {
  const host = URL.parse(url)?.host ?? url;
  return /^[\d.]+(?::\d+)?$|^\[/.test(host) ? host : host.replace(/:\d+$/, '').split('.').slice(-2).join('.');
}
