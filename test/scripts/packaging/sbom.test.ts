import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Lock } from '../../../scripts/check-packages.ts';
import { installPackages } from '../../../scripts/install-packages.ts';
import { makeSbom, type Sbom } from '../../../scripts/packaging/sbom.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

describe('the bill of materials', () => {
  let sbom: Sbom;
  before(async () => {
    sbom = await makeSbom(ROOT);
  });

  test('is valid CycloneDX', async () => {
    const folder = path.join(ROOT, 'node_modules/.cache/cyclonedx');
    await installPackages(folder, {
      '@cyclonedx/cyclonedx-library': '10.3.0',
      ajv: '8.20.0',
      'ajv-formats': '3.0.1',
      'ajv-formats-draft2019': '1.6.1',
    });
    const require = createRequire(path.join(folder, 'x.js'));
    const { Spec, Validation } = await import(
      pathToFileURL(require.resolve('@cyclonedx/cyclonedx-library')).href
    );
    const validator = new Validation.JsonStrictValidator(
      Spec.Version[`v${sbom.specVersion.replace('.', 'dot')}`],
    );
    assert.equal(await validator.validate(JSON.stringify(sbom)), null);
    assert.notEqual(await validator.validate(JSON.stringify({ ...sbom, components: [{}] })), null);
  });

  test('lists every locked package that ships or serves, with the hash of its download', () => {
    const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
    const listed = new Map(sbom.components.map((one) => [one['bom-ref'], one]));
    let count = 0;
    for (const [place, locked] of Object.entries(lock.packages)) {
      const [, folder] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? [];
      if (folder === undefined || locked.link || locked.dev) continue;
      const name = locked.name ?? folder;
      const component = listed.get(`${name}@${locked.version}`);
      assert.ok(component, `${name} ${locked.version} is missing`);
      assert.equal(component.name, name);
      const sha512 = Buffer.from(locked.integrity!.slice('sha512-'.length), 'base64').toString('hex');
      assert.deepEqual(component.hashes, [{ alg: 'SHA-512', content: sha512 }], name);
      count += 1;
    }
    assert.ok(count > 200, `only ${count} packages`);
    assert.ok(![...listed.keys()].some((name) => /^(typescript|fast-check|openai)@/.test(name)), 'tools');
    for (const { ref, dependsOn = [] } of sbom.dependencies) {
      for (const other of dependsOn)
        assert.ok(listed.has(other), `${ref} needs ${other}, which is not listed`);
    }
  });

  test('describes the product under its own name, and contains no path of this computer', () => {
    const { name, type } = sbom.metadata.component;
    assert.deepEqual([name, type], ['content-security-gateway', 'application']);
    assert.ok(sbom.components.some((one) => one.name === '@csg/cloud'));
    assert.ok(!sbom.components.some((one) => one.name === '@csg/lab'), 'the laboratory does not ship');
    assert.ok(!JSON.stringify(sbom).includes(ROOT));
  });

  test('a file that cannot be written is reported in a sentence', () => {
    const script = path.join(ROOT, 'scripts/package.ts');
    const ended = spawnSync(process.execPath, [script, 'sbom', '--out', '/nowhere/sbom.json'], {
      encoding: 'utf8',
    });
    assert.equal(ended.status, 1);
    assert.match(ended.stderr, /^The bill of materials could not be generated: ENOENT/);
  });
});
