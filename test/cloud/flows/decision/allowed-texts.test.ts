import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Finding } from '@csg/shared/detection';
import { findAllowedTexts, textKeys } from '../../../../apps/cloud/src/flows/decision/allowed-texts.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

const slots = Array.from({ length: 3_000 }, (_, n) => ({
  path: `/${n}`,
  role: 'user' as const,
  text: `text ${n % 2_000}`,
}));
const findings = slots.map(
  (_, slot): Finding => ({
    slot,
    start: 0,
    end: 4,
    rule: 'r',
    type: 'prompt_injection',
    confidence: 1,
    reason: 'test',
  }),
);

describe('approved texts', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
  });
  after(() => gateway.close());

  test('are found among very many findings; none counts if they cannot be read', async () => {
    const { account, storage } = gateway;
    const keyOf = textKeys({ storage }, account, slots);
    for (const at of [0, 700, 1_999])
      await storage.allowedTexts.insert(account, {
        ...{ textKey: keyOf(findings[at]!)!, threatTypes: ['prompt_injection'] },
        ...{ eventId: `evt_${at}`, approvedBy: 'usr_a' },
      });
    const errors: string[] = [];
    const log = { error: (_: object, message: string) => void errors.push(message) };
    const find = () => findAllowedTexts({ storage, log }, account, findings, keyOf);
    const idOf = await find();
    const allowed = findings.flatMap((finding, at) => (idOf(finding) === undefined ? [] : [at]));
    assert.deepEqual(allowed, [0, 700, 1_999, 2_000, 2_700]);
    assert.equal(idOf(findings[0]!), idOf(findings[2_000]!));
    await gateway.close();
    assert.equal((await find())(findings[0]!), undefined);
    assert.equal(errors.length, 1);
  });
});
