import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PageError } from '../../../apps/cloud/src/scrape/page-error.ts';
import { type ExtractedPage, readPage } from '../../../apps/cloud/src/scrape/read-page.ts';
import { assertLinear } from '../../support/cpu-time.ts';

const NOTE = 'a note that nobody sees here';
const html = (text: string, asText = true): ExtractedPage => readPage({ type: 'html', text }, asText);
const kindsOf = (page: ExtractedPage, text = NOTE) =>
  page.texts.filter((one) => one.text.includes(text)).map((one) => one.kind);

describe('hidden text', () => {
  const carriers: Record<string, readonly [kind: string, html: string]> = {
    comment: ['comment', `<p>Seen words</p><!-- ${NOTE} -->`],
    'conditional comment': ['comment', `<!--[if IE]>${NOTE}<![endif]-->`],
    alt: ['attribute', `<img src=a.png alt="${NOTE}">`],
    title: ['attribute', `<p title='${NOTE}'>Seen</p>`],
    'aria-label': ['attribute', `<a aria-label="${NOTE}">x</a>`],
    'data attribute': ['attribute', `<div data-note="${NOTE}">x</div>`],
    placeholder: ['attribute', `<input placeholder="${NOTE}">`],
    'value of a hidden field': ['attribute', `<input type=hidden value="${NOTE}">`],
    meta: ['meta', `<meta name=description content="${NOTE}">`],
    'json-ld': ['json-ld', `<script type="application/ld+json">{"about":"${NOTE}"}</script>`],
    noscript: ['noscript', `<noscript><p>${NOTE}</p></noscript>`],
    template: ['template', `<template><b>${NOTE}</b></template>`],
    'style comment': ['style', `<style>/* ${NOTE} */ p{color:red}</style>`],
    'style content': ['style', `<style>p::after{content:"${NOTE}"}</style>`],
    'script string': ['script', `<script>var a = "${NOTE}";</script>`],
    'script string, escaped': ['script', `<script>x='\\x61 note that nobody \\u0073ees here'</script>`],
    'script comment': ['script', `<script>run(); // ${NOTE}\n</script>`],
    'hidden attribute': ['hidden', `<div hidden>${NOTE}</div>`],
    'aria-hidden': ['hidden', `<span aria-hidden="true">${NOTE}</span>`],
    'srcdoc of a frame': ['attribute', `<iframe srcdoc="<p>${NOTE}</p>"></iframe>`],
    'processing instruction': ['comment', `<?note ${NOTE}?>`],
  };
  const styles: Record<string, string> = {
    display: 'display:none',
    'display, disguised': 'DISPLAY : /* x */ none !important',
    'display, escaped': 'd\\69splay:none',
    visibility: 'visibility: hidden',
    opacity: 'opacity:0',
    'opacity, nearly': 'opacity:.01',
    'font size': 'font-size:0px',
    'font size of one point': 'font-size:0.5pt',
    'off screen': 'position:absolute;left:-9999px',
    'text indent': 'text-indent:-9999px',
    'zero size': 'width:0;height:0;overflow:hidden',
    clip: 'position:absolute;clip:rect(0,0,0,0)',
    'clip path': 'clip-path: inset(50%)',
    'same colour': 'color:#fff;background:#ffffff',
    'same colour as the page': 'color:white',
    'nearly the same colour': 'color:rgb(254,254,254)',
    'no colour': 'color:transparent',
    scale: 'transform: scale(0)',
  };
  for (const [name, style] of Object.entries(styles)) {
    carriers[`style: ${name}`] = ['hidden', `<div style="${style}"><b>${NOTE}</b></div>`];
    carriers[`class: ${name}`] = ['hidden', `<style>.x{${style}}</style><p class="a x">${NOTE}</p>`];
  }
  carriers['declared after the element'] = ['hidden', `<p id=n>${NOTE}</p><style>#n{display:none}</style>`];
  for (const [name, [kind, page]] of Object.entries(carriers)) {
    it(`is read: ${name}`, () => {
      assert.deepEqual(kindsOf(html(page)), [kind]);
    });
  }

  it('is not in the content that is returned', () => {
    for (const [name, [kind, page]] of Object.entries(carriers)) {
      if (name === 'aria-hidden' || name.includes('colour')) continue;
      assert.ok(!html(page).content.includes('nobody'), `${kind}: ${name}`);
      assert.ok(!/style|script|hidden|<!--/.test(html(page, false).content), `${kind}: ${name} as HTML`);
    }
  });

  it('is joined if it is cut into elements', () => {
    const pieces = NOTE.split(' ').map((word) => `<i>${word}</i> `);
    assert.deepEqual(kindsOf(html(`<div hidden>${pieces.join('')}</div>`), 'nobody sees here'), ['hidden']);
  });
});

describe('visible text', () => {
  it('is readable text, block by block', () => {
    const page = html(
      '<!doctype html><title>News</title><style>p{color:#333}</style><h1>Big\n day</h1><p>One &amp; <b>two</b><br>three' +
        '<ul><li>a<li>b</ul><table><tr><td>1<td>2</table><script>x()</script>',
    );
    assert.equal(page.content, 'News\nBig day\nOne & two\nthree\na\nb\n1\t2');
    assert.deepEqual(kindsOf(page, 'Big day'), ['visible']);
  });

  it('stays if a style does not apply to it', () => {
    for (const page of [
      `<style>@media print{p{display:none}}</style><p>${NOTE}</p>`,
      `<style>.menu p{display:none}</style><p>${NOTE}</p>`,
      `<style>p{display:none} p{display:block}</style><p>${NOTE}</p>`,
      `<div style="color:#fff;background:#222"><p>${NOTE}</p></div>`,
      `<p style="visibility:hidden">gone<b style="visibility:visible">${NOTE}</b></p>`,
      `<div style="display:none">gone</div><p>${NOTE}</p>`,
      `<p style="margin-left:-20px;opacity:.6;font-size:0.8em">${NOTE}</p>`,
    ]) {
      const read = html(page);
      assert.deepEqual(kindsOf(read), ['visible'], page);
      assert.ok(read.content.includes(NOTE), page);
      assert.ok(!read.content.includes('gone'), page);
    }
  });

  it('as HTML keeps its structure and nothing that runs', () => {
    const page = html(
      '<body onload="go()"><h1 class=x>Hi</h1><a href="javascript:go()">a</a><a href="/b?x=1&amp;y">b &lt;c></a>' +
        '<img src="data:image/png;base64,xx" alt="A &quot;q&quot;"><form action="/f"><input name=q></form><svg><script>x</script></svg>',
      false,
    );
    assert.equal(
      page.content,
      '<body><h1>Hi</h1><a>a</a><a href="/b?x=1&amp;y">b &lt;c&gt;</a><img alt="A &quot;q&quot;"><form></form></body>',
    );
    assert.deepEqual(page.scripts.map((code) => code.trim()).sort(), ['go()', 'javascript:go()', 'x']);
    assert.deepEqual(page.forms, [{ action: '/f', fields: ['text:q'] }]);
  });

  it('is the whole of plain text and JSON', () => {
    assert.equal(readPage({ type: 'text', text: '<b>not bold</b>' }, true).content, '<b>not bold</b>');
    const json = readPage({ type: 'json', text: '{"a":"some words in it"}' }, false);
    assert.equal(json.content, '{"a":"some words in it"}');
    assert.equal(json.texts.length, 1);
  });

  it('of XML is its text; its comments are read too', () => {
    const page = readPage(
      { type: 'xml', text: `<Feed><Title>Hello there</Title><!-- ${NOTE} --></Feed>` },
      true,
    );
    assert.equal(page.content, 'Hello there');
    assert.deepEqual(kindsOf(page), ['comment']);
  });
});

describe('malformed pages', () => {
  it('are read in linear time', () => {
    const units: Record<string, (n: number) => string> = {
      'unclosed comments': (n) => '<!-- '.repeat(n),
      'unknown closing tags': (n) => '</x>'.repeat(n),
      'attributes of one element': (n) => `<p ${Array.from({ length: n }, (_, i) => `a${i}=1`).join(' ')}>`,
      'elements with styles': (n) => '<p style="display:none;color:red">x</p>'.repeat(n / 4),
      'quotes in a script': (n) => `<script>${`'"\``.repeat(n)}</script>`,
      'style rules': (n) => `<style>${'.a{display:none}'.repeat(n / 4)}</style><p class=a>x`,
      'style tags': (n) => '<style>'.repeat(n),
      'angle brackets': (n) => '<'.repeat(n),
      'open deep, close unknown': (n) => '<b>'.repeat(900) + '</x>'.repeat(n),
    };
    for (const [name, make] of Object.entries(units)) assertLinear(name, make, html, 10_000);
  });

  it('are rejected if they are nested too deeply', () => {
    assert.throws(
      () => html('<div>'.repeat(100_000)),
      (error) => error instanceof PageError && error.reason === 'too_deep',
    );
  });

  it('of any shape are read without an error', () => {
    for (const page of [
      '',
      '<',
      '<p',
      '<!--',
      '<script>',
      '<style>{',
      '</p></br>',
      '<constructor __proto__=1 hidden>x',
      '\0<a \0>',
    ]) {
      assert.equal(typeof html(page).content, 'string', JSON.stringify(page));
    }
  });
});
