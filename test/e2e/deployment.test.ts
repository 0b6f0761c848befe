import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { SETTINGS } from '../../apps/cloud/src/config/settings.ts';
import { SERVICE_OPTIONS } from '../../scripts/bootstrap/service-options.mjs';
import { installPackages } from '../../scripts/install-packages.ts';
import { findTool, missingTool } from '../../scripts/system-tools.ts';
import { freePort } from '../support/free-port.ts';
import { startGateway } from '../support/gateway.ts';
import { isInPart } from '../support/part.ts';
import { runCommand } from '../support/run-command.ts';
import { startTestProvider } from '../support/test-provider.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CLOUD = path.join(ROOT, 'build/cloud');
const read = (file: string): string => readFileSync(path.join(CLOUD, file), 'utf8');
const KNOWN = new Set<string>(Object.values(SETTINGS).map(({ env }) => env));

interface Manifest {
  readonly kind: string;
  readonly apiVersion: string;
}
interface Compose {
  readonly services: Readonly<
    Record<string, { readonly image?: string; readonly environment?: Readonly<Record<string, string>> }>
  >;
}

interface Values {
  readonly [name: string]: unknown;
}

/**
 * Renders the chart's templates for a release named gateway. Helm cannot be installed here: the chart uses only values,
 * `quote` and `if`, and so does this.
 */
function renderChart(values: Values): string[] {
  const folder = path.join(CLOUD, 'helm/templates');
  const valueAt = (name: string): unknown =>
    name.split('.').reduce<unknown>((holder, key) => (holder as Values | undefined)?.[key], values);
  return readdirSync(folder).map((file) => {
    const text = read(`helm/templates/${file}`)
      .replace(/^\{\{- if \.Values\.([\w.]+) \}\}\n([\s\S]*?)^\{\{- end \}\}\n/gm, (_all, name, body) =>
        valueAt(name) === true ? body : '',
      )
      .replaceAll('{{ .Release.Name }}', 'gateway')
      .replace(/\{\{ \.Values\.([\w.]+) (\| quote )?\}\}/g, (_all, name: string, quote) => {
        const value = valueAt(name);
        assert.ok(value !== undefined, `${file} names ${name}, which has no value`);
        return quote === undefined ? String(value) : JSON.stringify(String(value));
      });
    assert.ok(!text.includes('{{'), `${file} uses more of the template language`);
    return text;
  });
}

describe('deployment files', () => {
  let parse: (text: string) => unknown;
  let parseAll: (text: string) => readonly { toJS(): Manifest }[];
  let models: (name: string) => Promise<Record<string, new (value: unknown) => { validate(): void }>>;
  before(async () => {
    const folder = path.join(ROOT, 'node_modules/.cache/kubernetes');
    await installPackages(folder, { 'kubernetes-models': '5.1.0', yaml: '2.9.1' });
    const require = createRequire(path.join(folder, 'x.js'));
    const yaml = await import(pathToFileURL(require.resolve('yaml')).href);
    parse = yaml.parse;
    parseAll = yaml.parseAllDocuments;
    const kubernetes = path.join(folder, 'node_modules/kubernetes-models');
    models = (name) => import(pathToFileURL(path.join(kubernetes, name, 'index.js')).href);
  });

  test('the Kubernetes manifests match their schemas', async () => {
    let count = 0;
    for (const file of readdirSync(path.join(CLOUD, 'kubernetes')).filter((name) => name.endsWith('.yaml'))) {
      for (const document of parseAll(read(`kubernetes/${file}`))) {
        const manifest = document.toJS();
        const { [manifest.kind]: Model } = await models(manifest.apiVersion);
        assert.ok(Model !== undefined, `${manifest.apiVersion} ${manifest.kind} is not known`);
        assert.doesNotThrow(() => new Model(manifest).validate(), `${file}: ${manifest.kind}`);
        assert.throws(() => new Model({ ...manifest, spec: 7 }).validate(), 'the validator accepts anything');
        count++;
      }
    }
    assert.ok(count >= 6, `${count} manifests`);
  });

  test('the Helm chart, rendered with its values, equals the manifests', async () => {
    const values = parse(read('helm/values.yaml')) as Values;
    const rendered = renderChart(values);
    const plain = parseAll(read('kubernetes/gateway.yaml')).map((document) => document.toJS());
    const chart = rendered.flatMap((text) => parseAll(text).map((document) => document.toJS()));
    const byKind = (list: readonly Manifest[]) => new Map(list.map((manifest) => [manifest.kind, manifest]));
    assert.deepEqual(byKind(chart), byKind(plain));
    for (const manifest of chart) {
      const { [manifest.kind]: Model } = await models(manifest.apiVersion);
      assert.doesNotThrow(() => new Model!(manifest).validate(), manifest.kind);
    }
    const less = { ...values, ingress: { enabled: false }, networkPolicy: { enabled: false } };
    const kinds = renderChart(less).flatMap((text) =>
      parseAll(text).map((document) => document.toJS()?.kind),
    );
    assert.ok(!kinds.includes('Ingress') && !kinds.includes('NetworkPolicy') && kinds.includes('Deployment'));
    const chartFile = parse(read('helm/Chart.yaml')) as { apiVersion: string; name: string; version: string };
    assert.match(chartFile.version, /^\d+\.\d+\.\d+$/);
  });

  test('git and images leave out the file of secrets', () => {
    for (const file of ['.gitignore', '.dockerignore']) {
      const lines = readFileSync(path.join(ROOT, file), 'utf8').split('\n');
      assert.ok(
        lines.some((line) => /^\/?build\/cloud\/compose\.env$/.test(line)),
        `${file} names the file of secrets`,
      );
    }
  });

  test('every image is pinned, and every named setting exists', () => {
    const { services } = parse(read('compose.yaml')) as Compose;
    const images = Object.values(services).flatMap(({ image }) => image ?? []);
    const from = [...read('Dockerfile').matchAll(/^FROM (\S+:\S+)/gm)].map(([, image]) => image!);
    for (const image of [...images, ...from]) assert.match(image, /:\d+\.\d+[\d.]*/, image);
    const named = [
      ...Object.keys(services['gateway']?.environment ?? {}),
      ...[...read('compose.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name!),
      ...[...read('kubernetes/gateway.yaml').matchAll(/name: ([A-Z_]{4,})/g)].map(([, name]) => name!),
    ];
    const isKnown = (name: string) => KNOWN.has(name) || name === 'POSTGRES_PASSWORD';
    for (const name of named) assert.ok(isKnown(name), `${name} is not a setting`);
  });
});

const NGINX = findTool('nginx');

test('the service works behind nginx with the configuration provided', {
  skip: missingTool(['nginx']),
}, async () => {
  const testProvider = await startTestProvider();
  const gateway = await startGateway({ providerUrl: testProvider.url, env: { TRUST_PROXY: 'on' } });
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-nginx-'));
  const port = await freePort();
  const site = read('nginx.conf')
    .replace('server gateway:8787', `server ${new URL(gateway.address).host}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`);
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off;
     client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
     uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;\n${site}\n}`,
  );
  const config = ['-e', 'stderr', '-p', folder, '-c', path.join(folder, 'nginx.conf')];
  const checked = spawnSync(NGINX!, ['-t', ...config]);
  assert.equal(checked.status, 0, String(checked.stderr));
  const running = runCommand(NGINX!, config);
  try {
    const url = `http://127.0.0.1:${port}`;
    const call = (to: string, body?: object) =>
      fetch(`${url}${to}`, {
        headers: {
          'x-api-key': gateway.key,
          authorization: 'Bearer sk-x',
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
    let health: Response | undefined;
    while (health?.status !== 200) health = await call('/health').catch(() => undefined);
    assert.equal((await call('/metrics')).status, 404);
    const chat = { model: 'gpt-test', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
    const streamed = await call('/api/v1/chat/completions', chat);
    assert.equal(streamed.status, 200);
    assert.match(streamed.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.match(await streamed.text(), /data: \[DONE\]/);
    // 8 MB, in texts of the maximum length that the service accepts.
    const content = 'tea '.repeat(500_000);
    const large = {
      messages: Array.from({ length: 4 }, () => ({ role: 'user', content })),
      model: 'gpt-test',
    };
    assert.notEqual((await call('/api/v1/chat/completions', large)).status, 413);
  } finally {
    running.child.kill('SIGQUIT');
    await running.ended;
    await gateway.close();
    await testProvider.close();
    rmSync(folder, { recursive: true });
  }
});

if (isInPart('packages of the image', 4))
  describe('the packages of the image', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'csg-image-'));
    after(() => rmSync(folder, { recursive: true }));

    test('are all that the service needs', async () => {
      const dockerfile = read('Dockerfile');
      for (const [, files, to] of dockerfile.matchAll(
        /^COPY ((?:\S*package\S* ?|\.npmrc\* ?|exec\.cmd ?)+) (\S+)$/gm,
      )) {
        for (const name of files!.trim().split(/\s+/)) {
          const file = name.replace('.npmrc*', '.npmrc');
          const target = path.join(folder, to!, path.basename(file));
          mkdirSync(path.dirname(target), { recursive: true });
          cpSync(path.join(ROOT, file), target);
        }
      }
      const install = /^RUN (npm ci --omit=dev .+)$/m.exec(dockerfile)?.[1];
      assert.ok(install !== undefined, 'the installation line is missing');
      const installed = await runCommand('sh', ['-c', install], { cwd: folder }).ended;
      assert.equal(installed.code, 0, installed.stderr);
      for (const part of ['apps/cloud/src', 'apps/cloud/dashboard/index.html', 'shared']) {
        cpSync(path.join(ROOT, part), path.join(folder, part), {
          recursive: true,
          filter: (from) => !from.includes('node_modules') && !from.endsWith('package.json'),
        });
      }
      const [, ...command] = JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]');
      assert.deepEqual(
        command,
        [...SERVICE_OPTIONS, 'apps/cloud/src/main.ts'],
        'started in the same way as npm start',
      );
      const running = runCommand(process.execPath, command, {
        cwd: folder,
        env: { PATH: process.env['PATH'], PORT: '0', GATEWAY_DATA_DIR: path.join(folder, 'data') },
      });
      await running.outputHas('Content Security Gateway is running at');
      running.child.kill('SIGTERM');
      assert.equal((await running.ended).code, 0);
      // The command of the image, at its path in the image.
      assert.match(dockerfile, /^COPY --chmod=755 build\/cloud\/gateway \/usr\/local\/bin\/gateway$/m);
      const script = read('gateway').replace('/app/', `${folder}/`);
      const created = spawnSync(
        'sh',
        ['-c', script, 'gateway', 'keys', 'create', '--name', 'Test', '--json'],
        {
          cwd: tmpdir(),
          env: {
            PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
            GATEWAY_DATA_DIR: path.join(folder, 'data'),
          },
        },
      );
      assert.equal(created.status, 0, String(created.stderr));
      assert.match(JSON.parse(String(created.stdout)).key, /^svc_/);
    });
  });
