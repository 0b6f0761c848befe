import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_BLOCKED_TOOLS } from '@csg/shared/contract';
import type { ToolListing } from '@csg/shared/text';
import { listingOf } from '../../../../apps/cloud/src/flows/agent/tool-lists.ts';

describe('lists of tools', () => {
  const project = (change: object) => ({
    blocked_tools: [],
    allowed_tools: [],
    review_required_tools: [],
    ...change,
  });

  test('default blocks apply to projects with and without lists, in every namespace', () => {
    for (const tool of DEFAULT_BLOCKED_TOOLS) {
      for (const name of [tool, `mcp__box__${tool}`, `os.${tool}`, `box:${tool}`]) {
        assert.equal(listingOf(name, null, {}), 'blocked', name);
        assert.equal(listingOf(name, project({ blocked_tools: ['other'] }), {}), 'blocked', name);
      }
    }
    for (const tool of ['form', 'rm_old', 'systems', 'bash_history', 'Bash']) {
      assert.equal(listingOf(tool, null, {}), 'free', tool);
    }
  });

  test('the lists of the project and of the request combine to one result', () => {
    const rows: [string, object | null, object, ToolListing][] = [
      ['bash', { allowed_tools: ['bash'] }, {}, 'free'],
      ['bash', { allowed_tools: ['bash'], blocked_tools: ['bash'] }, {}, 'blocked'],
      ['bash', null, { allowed_tools: ['bash'] }, 'blocked'],
      ['read', { allowed_tools: ['write'] }, {}, 'not_allowed'],
      ['read', { allowed_tools: ['write'] }, { allowed_tools: ['read'] }, 'not_allowed'],
      ['read', { allowed_tools: ['read', 'write'] }, { allowed_tools: ['write'] }, 'not_allowed'],
      ['fs.read', { allowed_tools: ['read'] }, { allowed_tools: ['fs.read'] }, 'free'],
      ['read', null, { allowed_tools: [] }, 'free'],
      ['read', null, { blocked_tools: ['read'] }, 'blocked'],
      ['read', null, { review_required_tools: ['read'] }, 'review'],
      ['read', { review_required_tools: ['read'] }, { allowed_tools: ['read'] }, 'review'],
      ['read', { review_required_tools: ['read'] }, { blocked_tools: ['read'] }, 'blocked'],
    ];
    for (const [tool, lists, request, expected] of rows) {
      const own = lists === null ? null : project(lists);
      assert.equal(listingOf(tool, own, request), expected, JSON.stringify([tool, lists, request]));
    }
  });
});
