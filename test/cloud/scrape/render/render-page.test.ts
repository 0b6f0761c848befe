import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ResolvedAddress } from '../../../../apps/cloud/src/outbound/resolve-checked.ts';
import type { PageError } from '../../../../apps/cloud/src/scrape/page-error.ts';
import { type ExtractedPage, readPage } from '../../../../apps/cloud/src/scrape/read-page.ts';
import { findBrowser } from '../../../../apps/cloud/src/scrape/render/find-browser.ts';
import {
  createPageRenderer,
  type PageRenderer,
} from '../../../../apps/cloud/src/scrape/render/render-page.ts';
import { missingTool } from '../../../../scripts/system-tools.ts';
import { HANG_LIMIT_MS } from '../../../support/until.ts';

const browser = findBrowser(undefined, process.env['PATH'] ?? '');
const skip = missingTool(['browser']);
/** The address of example.com, on the loopback device while one test runs. */
const PUBLIC = '93.184.215.14';
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const ORDER = 'The order nobody sees stands right here.';

/** How a text can be hidden from people; `@` is the text. */
const HIDING: Readonly<Record<string, string>> = {
  'display of a rule': '<style>.a{display:none}</style><p class="a">@</p>',
  'display set by a script':
    '<p id="b">@</p><script>document.getElementById("b").style.display="none"</script>',
  'a rule put in by a script':
    '<p class="c">@</p><script>document.head.append(Object.assign(document.createElement("style"),{textContent:".c{visibility:hidden}"}))</script>',
  visibility: '<p style="visibility:hidden">@</p>',
  opacity: '<div style="opacity:.2"><div style="opacity:.2">@</div></div>',
  'font size': '<span style="font-size:0">@</span>',
  'the same colour': '<div style="background:#336699"><span style="color:rgb(51,102,153)">@</span></div>',
  'transparent ink': '<span style="color:rgba(0,0,0,0.01)">@</span>',
  'off screen': '<div style="position:absolute;left:-99999px">@</div>',
  'off screen by a transform': '<div style="transform:translateX(-5000px);width:300px">@</div>',
  'zero size': '<div style="width:0;height:0;overflow:hidden">@</div>',
  clip: '<div style="clip-path:inset(100%)">@</div>',
  'the hidden attribute': '<p hidden>@</p>',
  'a closed shadow tree':
    '<x-a></x-a><script>customElements.define("x-a",class extends HTMLElement{connectedCallback(){this.attachShadow({mode:"closed"}).innerHTML="<p style=display:none>@</p>"}})</script>',
  'a frame': '<iframe srcdoc="<p style=\'display:none\'>@</p>"></iframe>',
};

describe('rendering in Chromium', { skip }, () => {
  let renderer: PageRenderer;
  let guarded: PageRenderer;
  let base = '';
  let port = 0;
  const requests: string[] = [];
  const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {};
  const web = createServer((request, response) => {
    requests.push(`${request.headers.host}${request.url}`);
    const page = pages[request.url ?? ''];
    if (page === undefined) response.writeHead(404, HTML).end('nothing');
    else page(request, response);
  });
  const serve = (path: string, html: string): string => {
    pages[path] = (_request, response) => response.writeHead(200, HTML).end(html);
    return base + path;
  };
  before(async () => {
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    port = (web.address() as { port: number }).port;
    base = `http://127.0.0.1:${port}`;
    renderer = createPageRenderer(browser!, { allowPrivate: true });
    // A public name that resolves to this server; everything else is as in service, so only the guard denies
    // it.
    const resolve = async (name: string): Promise<readonly ResolvedAddress[]> => [
      { address: name === 'inner.example.com' ? '127.0.0.1' : PUBLIC, family: 4 },
    ];
    guarded = createPageRenderer(browser!, { resolve, ports: [80, 443, 8080, port] });
  });
  after(async () => {
    await renderer.close();
    await guarded.close();
    web.close();
    web.closeAllConnections();
  });
  beforeEach(() => {
    requests.length = 0;
  });

  const read = async (url: string): Promise<ExtractedPage> =>
    readPage(await renderer.render(url, HANG_LIMIT_MS), true);
  const fault = async (work: Promise<unknown>): Promise<PageError> =>
    (await work.then(
      () => assert.fail('it was not rejected'),
      (error: unknown) => error,
    )) as PageError;

  test('returns the page as its scripts make it', async () => {
    const url = serve(
      '/app',
      '<title>App</title><div id="root">loading</div><script>setTimeout(()=>{root.innerHTML="<h1>Menu of the day</h1>"},200)</script>',
    );
    const rendered = await renderer.render(url, HANG_LIMIT_MS);
    assert.equal(rendered.url, url);
    assert.match(readPage(rendered, true).content, /Menu of the day/);
    assert.doesNotMatch(
      readPage(rendered, false).content,
      /data-[0-9a-f]{16}/,
      'our marks are not in the content',
    );
  });

  test(`marks text that is hidden in any of ${Object.keys(HIDING).length} ways`, async () => {
    const ways = Object.entries(HIDING);
    const parts = ways.map(([name, html]) => html.replace('@', `${ORDER} It is hidden by ${name}.`));
    const { content, texts } = await read(serve('/hidden', `<p>A page about tea.</p>${parts.join('')}`));
    assert.match(content, /about tea/);
    assert.ok(!content.includes(ORDER), `it is returned as visible: ${content}`);
    for (const [name] of ways) {
      const found = texts.filter(({ text }) => text.includes(`hidden by ${name}.`)).map(({ kind }) => kind);
      assert.ok(found.includes('hidden'), `${name}: ${found}`);
    }
  });

  test('does not mark text that people see', async () => {
    const shown = [
      '<p style="opacity:.5">half</p>',
      '<div style="background:#000"><p style="color:#fff">light on dark</p></div>',
      '<div style="position:absolute;left:40px;top:3000px">far below</div>',
      '<div style="background-image:linear-gradient(red,blue)"><span style="color:#fff">on a picture</span></div>',
      '<span style="background:linear-gradient(red,blue);background-clip:text;-webkit-background-clip:text;color:transparent">gradient</span>',
      '<div style="display:none"></div>',
    ];
    const { content, texts } = await read(serve('/shown', shown.join('')));
    for (const word of ['half', 'light on dark', 'far below', 'on a picture', 'gradient']) {
      assert.ok(content.includes(word), `${word} is missing: ${content}`);
    }
    assert.deepEqual(
      texts.filter(({ kind }) => kind === 'hidden'),
      [],
    );
  });

  test('rejects inner addresses, under whatever name', async () => {
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://inner.example.com:${port}/`,
      'http://169.254.169.254/latest/meta-data',
      `http://[::1]:${port}/`,
    ]) {
      const refused = await fault(guarded.render(url, HANG_LIMIT_MS));
      assert.equal(refused.reason, 'address_refused', `${url}: ${refused.reason}`);
    }
    assert.deepEqual(requests, []);
  });

  test('lets nothing that a public page requests bypass the guard', {
    skip: missingTool(['addresses']),
  }, async (t) => {
    if (!addPublicAddress()) return t.skip('to give the loopback device a public address needs root');
    const inner = `127.0.0.1:${port}`;
    const outside: string[] = [];
    const html = `<p>A public page.</p>
      <img src="http://${inner}/image"><script src="http://localhost:${port}/script"></script>
      <iframe src="http://${inner}/frame"></iframe><link rel="stylesheet" href="http://[::1]:${port}/style">
      <link rel="preload" as="fetch" href="http://${inner}/preload"><link rel="prefetch" href="http://${inner}/prefetch">
      <object data="http://${inner}/object"></object><video src="http://${inner}/video" autoplay></video>
      <img src="/jump"><script>
        fetch('http://${inner}/fetch', { mode: 'no-cors' }).catch(() => {});
        navigator.sendBeacon('http://${inner}/beacon', 'x');
        new WebSocket('ws://${inner}/socket');
        new Worker(URL.createObjectURL(new Blob(["fetch('http://${inner}/worker',{mode:'no-cors'})"])));
        new EventSource('http://${inner}/events');
        open('http://${inner}/popup');
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${inner}' }] });
        peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      </script>`;
    const outer = createServer((request, response) => {
      outside.push(request.url ?? '');
      if (request.url === '/jump') response.writeHead(302, { location: `http://${inner}/jumped` }).end();
      else response.writeHead(200, HTML).end(html);
    });
    await new Promise<void>((resolve) => outer.listen(8080, PUBLIC, resolve));
    try {
      const { content } = readPage(
        await guarded.render(`http://public.example.com:8080/`, HANG_LIMIT_MS),
        true,
      );
      assert.match(content, /A public page/);
      assert.ok(outside.includes('/jump'), 'the public part is loaded');
      assert.equal(requests.length, 0, `an inner address was requested: ${requests}`);
      await renderer.render(`http://${PUBLIC}:8080/`, HANG_LIMIT_MS);
      for (const path of ['/image', '/frame', '/fetch', '/jumped']) {
        assert.ok(requests.includes(`${inner}${path}`), `without the guard ${path} is fetched`);
      }
    } finally {
      outer.close();
      outer.closeAllConnections();
      removePublicAddress();
    }
  });

  test('rejects a redirect to an inner address before it is followed', async () => {
    pages['/jump'] = (_request, response) =>
      response.writeHead(302, { location: `http://inner.example.com:${port}/` }).end();
    const refused = await fault(guarded.render(`http://inner.example.com:${port}/jump`, HANG_LIMIT_MS));
    assert.equal(refused.denyReason, 'private_address');
    assert.deepEqual(requests, []);
  });

  test('has a reason each for pages that never end, hang or are no pages', async () => {
    pages['/never'] = (_request, response) => void response.writeHead(200, HTML).write('<p>x');
    pages['/never-all'] = (_request, response) =>
      void response.writeHead(200, HTML).write('<img src="http://cdn.intranet/logo.png"><p>x');
    pages['/silent'] = () => {};
    pages['/file'] = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/zip' }).end('PK');
    pages['/json'] = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    pages['/gone'] = (_request, response) => response.writeHead(410, HTML).end('gone');
    pages['/circle'] = (_request, response) => response.writeHead(302, { location: '/circle' }).end();
    pages['/cut'] = (_request, response) => {
      response.writeHead(200, { ...HTML, 'content-length': '5000' }).write('<p>x');
      response.destroy();
    };
    // A page with a reason of its own has it before its time is up, also on a busy machine.
    for (const [path, reason, timeoutMs] of [
      ['/silent', 'timeout', 1_000],
      ['/file', 'not_a_page', HANG_LIMIT_MS],
      ['/json', 'not_a_page', HANG_LIMIT_MS],
      ['/gone', 'page_status', HANG_LIMIT_MS],
      ['/circle', 'too_many_redirects', HANG_LIMIT_MS],
    ] as const) {
      assert.equal((await fault(renderer.render(base + path, timeoutMs))).reason, reason, path);
    }
    assert.equal((await fault(renderer.render('http://127.0.0.1:1/', HANG_LIMIT_MS))).reason, 'unreachable');
    // What else a page loads may be refused: that is not why the page failed.
    const late = await fault(renderer.render(`${base}/never-all`, 4_000));
    assert.deepEqual([late.reason, late.denyReason], ['timeout', undefined]);
    const loop = serve('/loop', '<p>x</p><script>for(;;){}</script>');
    assert.equal((await fault(renderer.render(loop, 2_000))).reason, 'timeout');
    assert.match((await read(serve('/after', '<p>served as before</p>'))).content, /as before/);
  });

  test('stops a page that loads without end', async () => {
    const chunk = Buffer.alloc(4_000_000, 0x61);
    pages['/flood.js'] = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      const push = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', push);
      };
      push();
    };
    const url = serve('/flood', '<p>x</p><script src="/flood.js"></script>');
    const refused = await fault(renderer.render(url, HANG_LIMIT_MS));
    assert.equal(refused.reason, 'too_large');
  });

  test('is not affected by dialogs, downloads, pop-ups and permissions', async () => {
    pages['/download'] = (_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename=x.html', ...HTML }).end('x');
    const url = serve(
      '/tricks',
      `<p id="p">first</p><a id="a" href="/download" download>x</a><script>
        a.click(); open('/pop');
        Notification.requestPermission().then((answer) => { document.title = answer; });
        navigator.geolocation.getCurrentPosition(() => { p.textContent = 'found'; }, () => {});
      </script>`,
    );
    assert.match((await read(url)).content, /first/);
    const dialog = serve(
      '/dialog',
      '<p>before</p><script>alert(1); document.body.append("after the alert")</script>',
    );
    assert.match((await read(dialog)).content, /after the alert/);
  });
});

function addPublicAddress(): boolean {
  return spawnSync('ip', ['address', 'add', `${PUBLIC}/32`, 'dev', 'lo']).status === 0;
}

function removePublicAddress(): void {
  spawnSync('ip', ['address', 'del', `${PUBLIC}/32`, 'dev', 'lo']);
}
