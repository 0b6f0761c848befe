/** The tokens and requests that the pages of identity providers show, against a real gateway. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { addAccount } from '../support/accounts.ts';
import { signInAs } from '../support/browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { openDirectory } from '../support/scim-directory.ts';
import { openSsoTestEnv } from '../support/sso-test-env.ts';

const DOCS = path.resolve(import.meta.dirname, '../../docs');
/** Whether the groups of its token give a role. */
const PAGES = { 'entra-id': true, okta: true, google: false, keycloak: true, ping: true } as const;

interface Block {
  readonly kind: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const source = readFileSync(path.join(DOCS, `sso-${page}.md`), 'utf8');
  return [...source.matchAll(/^```json (.+)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
    kind,
    text,
  }));
}

describe('pages of identity providers', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  for (const [page, hasGroups] of Object.entries(PAGES)) {
    const source = readFileSync(path.join(DOCS, `sso-${page}.md`), 'utf8');
    const blocks = blocksOf(page);

    test(`${page}: its token signs in with the trust that the page names`, async (t) => {
      const env = await openSsoTestEnv(t);
      const { storage, organizationId } = env;
      const [, emailTrust] = /Choose `email_trust: (verified|tenant)`/.exec(source) ?? [];
      assert.ok(emailTrust === 'verified' || emailTrust === 'tenant');
      const { sub, ...claims } = JSON.parse(blocks.find(({ kind }) => kind === 'token')!.text);
      const group = claims.groups?.at(-1);
      await env.setProvider({ emailTrust, roleClaim: hasGroups ? 'groups' : null });
      if (hasGroups) {
        const mapping = { groupValue: group, byName: false, role: 'admin', projectId: null } as const;
        await storage.roleMap.replace(organizationId, [mapping]);
      }
      await env.enter(sub, claims);
      const user = (await storage.users.findByEmail('ada@corp.example'))!;
      assert.equal(user.name, 'Ada Lovelace');
      const member = await storage.members.get(organizationId, user.id);
      assert.equal(member?.role, hasGroups ? 'admin' : 'viewer');
      for (const claim of ['email_verified', 'xms_edov'].filter((name) => name in claims)) {
        await assert.rejects(
          env.enter(`${sub}-2`, { ...claims, [claim]: false, email: 'eve@corp.example' }),
          claim,
        );
      }
    });

    test(`${page}: its requests are served, in order`, async () => {
      const account = await addAccount(gateway, { plan: 'pro' });
      const directory = await openDirectory(
        gateway,
        await signInAs(gateway, 'owner', account.organizationId),
      );
      const ids = { user: '', group: '' };
      const email = `ada-${page}@corp.example`;
      const fill = (text: string) =>
        text
          .replaceAll('ada@corp.example', email)
          .replaceAll('{user}', ids.user)
          .replaceAll('{group}', ids.group);
      for (const { kind, text } of blocks.filter((block) => block.kind !== 'token')) {
        const [method = '', target = ''] = fill(kind).split(' ');
        const body = JSON.parse(fill(text));
        const { status, body: answer } = await directory.call(method, target, body);
        assert.ok(status < 300, `${kind}: ${status} ${JSON.stringify(answer)}`);
        if (kind === 'POST /Users') ids.user = answer.id;
        if (kind === 'POST /Groups') ids.group = answer.id;
        const members = ids.group === '' ? [] : await directory.membersOf(ids.group);
        if (/"remove"|"Remove"/.test(text) || kind.startsWith('PUT /Groups'))
          assert.deepEqual(members, [], kind);
        else if (/members/.test(text)) assert.deepEqual(members, [ids.user], kind);
        if (/"active"/.test(text)) {
          const isActive = (await directory.call('GET', `/Users/${ids.user}`)).body.active;
          assert.equal(isActive, /"active": true/.test(text), kind);
        }
      }
      assert.notEqual(ids.group, '');
    });
  }
});
