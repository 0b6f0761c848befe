import assert from 'node:assert/strict';
import { test } from 'node:test';
import { homeOrganization } from '../../../../apps/cloud/src/flows/accounts/home-organization.ts';
import type { OrganizationOfUser } from '../../../../apps/cloud/src/storage/storage.ts';

const ME = 'usr_me';
const one = (id: string, change: Partial<OrganizationOfUser> = {}): OrganizationOfUser => ({
  id,
  kind: 'team',
  name: 'My organization',
  ownerId: 'usr_other',
  ownerEmail: 'other@example.com',
  role: 'member',
  createdAtMs: 0,
  joinedAtMs: 10,
  chosenAtMs: null,
  allowedIps: [],
  requiresSecondFactor: false,
  ssoOnly: false,
  isOperator: false,
  ...change,
});
const home = (...organizations: OrganizationOfUser[]) => homeOrganization(ME, organizations)?.id ?? null;

test('a person without an organization has no home', () => {
  assert.equal(home(), null);
});

test('one’s own organization comes before those of others, and the personal one before teams', () => {
  const others = one('others', { createdAtMs: -5, joinedAtMs: 1 });
  const team = one('team', { ownerId: ME, joinedAtMs: 2 });
  const personal = one('personal', { ownerId: ME, kind: 'personal', joinedAtMs: 99 });
  const foreignPersonal = one('foreign', { kind: 'personal', joinedAtMs: 0 });
  assert.equal(home(others, team, personal, foreignPersonal), 'personal');
  assert.equal(home(others, foreignPersonal, team), 'team');
  assert.equal(home(others, foreignPersonal), 'foreign', 'the one joined first when none is their own');
});

test('the organization chosen last comes before all others', () => {
  const personal = one('personal', { ownerId: ME, kind: 'personal', chosenAtMs: 5 });
  const others = one('others', { chosenAtMs: 6 });
  assert.equal(home(personal, others), 'others');
  assert.equal(home({ ...personal, chosenAtMs: 7 }, others), 'personal');
  assert.equal(home({ ...personal, chosenAtMs: null }, others), 'others');
});
