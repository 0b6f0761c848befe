import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLink, pageOfLink } from '../../../apps/desktop/src/main/enroll-link.ts';

test('finds the enrollment link among the arguments of a start', () => {
  assert.equal(findLink(['--hidden', 'csg://enroll?token=t']), 'csg://enroll?token=t');
  assert.equal(findLink(['--hidden', 'https://example.com/csg:']), null);
});

test('every link opens only the enrollment page, whatever it contains', () => {
  const page = pageOfLink('csg://enroll?server=https%3A%2F%2Fg.example.com&token=svc_enroll_1');
  assert.equal(page, '#/enroll?server=https%3A%2F%2Fg.example.com&token=svc_enroll_1');
  for (const link of [
    'csg://enroll',
    'csg://unenroll',
    'csg://enroll/../remove?server=a&token=b',
    'csg://remove?server=https://g.example&token=t',
    'csg:',
    `csg://enroll?server=${'%'}`,
  ]) {
    assert.equal(pageOfLink(link), '#/enroll?error=link', link);
  }
  const hostile = pageOfLink('csg://enroll?server=https://x%23/remove&token=%26fault=1');
  assert.match(hostile, /^#\/enroll\?server=https%3A%2F%2Fx%23%2Fremove&token=%26fault%3D1$/);
});
