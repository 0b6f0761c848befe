import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createHtmlContent, createTextContent } from '../../../apps/cloud/src/scrape/page-content.ts';

it('writes text with a line for each block and no empty ones', () => {
  const content = createTextContent();
  content.open('h1', {});
  content.text('A \n  title');
  content.close('h1');
  content.open('p', {});
  content.text('  one\u00a0two ');
  content.open('br', {});
  content.text('three');
  content.close('p');
  assert.equal(content.end(), 'A title\none two\nthree');
});

it('writes only elements that display something, with safe addresses', () => {
  const content = createHtmlContent();
  content.open('a', { href: ' java\nscript:go()', onclick: 'go()', title: '"<b>"' });
  content.text('1 < 2 & 3');
  content.close('a');
  content.open('img', { src: '//cdn.example.com/a.png', alt: '' });
  content.close('img');
  content.open('blink', {});
  content.close('blink');
  content.open('a', { href: 'mailto:a@example.com' });
  content.close('a');
  assert.equal(
    content.end(),
    '<a title="&quot;&lt;b&gt;&quot;">1 &lt; 2 &amp; 3</a><img src="//cdn.example.com/a.png" alt=""><a href="mailto:a@example.com"></a>',
  );
});
