interface Reviewed {
  readonly method: string;
  /** Part of the statement; empty: every statement of the method. */
  readonly part: string;
  readonly because: string;
}

const reviewed = (method: string, part: string, because: string): Reviewed => ({ method, part, because });

/** Statements that visit more rows than 20 times those that they return, and why that is right. */
export const REVIEWED: readonly Reviewed[] = [
  reviewed('deletions.removeOrganization', '', 'it deletes all of an organization, once'),
  reviewed('deletions.removeProject', '', 'it deletes all of a project, once'),
  reviewed(
    'deletions.lockOrganization',
    'count(*) as "members"',
    'it counts the members of one organization before its deletion',
  ),
  reviewed('users.remove', 'delete from "users"', 'a person is deleted once; what refers to them is small'),
  reviewed('erasures.eraseUser', '', 'the operator erases a person, once'),
  reviewed(
    'emails.claim',
    'update "mails"',
    'PostgreSQL reads the waiting emails by their index while they are a few thousand, more of them by id',
  ),
  ...['deliveries.claim', 'deliveries.claimOne'].map((method) =>
    reviewed(
      method,
      `"id" in (?…) and "status" = 'pending'`,
      'PostgreSQL reads the pending deliveries by their index while they are a few thousand, more of them by id',
    ),
  ),
  reviewed('emails.forget', 'delete from "mails"', 'a person is erased once; emails are kept for days'),
  reviewed('directoryGroups.list', '', 'it counts the groups of one organization'),
  reviewed('roleMap.listMembersBySource', '', 'the map of one organization changed, rarely'),
  reviewed('roleMap.keepClaimRoles', '', 'single sign-on of one organization is removed or changed, rarely'),
  reviewed('directory.list', '"users"', 'it counts and sorts the people of one organization'),
  reviewed(
    'keys.revokeByMember',
    'delete from "keys"',
    'the keys of one organization, of which its plan limits the number, when a member leaves',
  ),
  reviewed(
    'keys.list',
    '"keys"."project_id" =',
    'the keys of one project, of which the plan limits the number; devices have keys too',
  ),
  reviewed(
    'keys.countForProject',
    'count(*)',
    'the keys of one project, of which the plan limits the number; devices have keys too',
  ),
  reviewed(
    'members.listProjectRoles',
    '',
    'the roles of one organization, at most one for each member and project',
  ),
  reviewed(
    'deliveries.claim',
    'with recursive waiting',
    'one step for each endpoint that has pending deliveries, so that all take turns',
  ),
  reviewed(
    'deliveries.list',
    '"event" =',
    'a filter on a page, off the event loop: newest first until the page is full',
  ),
  reviewed(
    'deliveries.list',
    '"project_id" =',
    'a filter on a page, off the event loop: newest first until the page is full',
  ),
  reviewed(
    'deliveries.list',
    '"kind" in',
    'a filter on a page, off the event loop: newest first until the page is full',
  ),
  reviewed('endpoints.list', '', 'the endpoints of one organization, made by people'),
  reviewed('deliveries.countPending', 'count(*)', 'a metric: pending deliveries alone, by their small index'),
  reviewed(
    'deliveries.prune',
    'delete from',
    'a job; PostgreSQL reads a table of 100,000 rows once for each 1,000 that it deletes, a larger one by its index',
  ),
  reviewed(
    'events.prune',
    'delete from',
    'a job; PostgreSQL reads a table of 100,000 rows once for each 1,000 that it deletes, a larger one by its index',
  ),
  reviewed('events.pruneExpired', 'delete from', 'like events.prune'),
  reviewed(
    'events.page',
    '"key_id" =',
    'a filter on a page, off the event loop: newest first until the page is full',
  ),
  reviewed(
    'events.page',
    '"model" =',
    'a filter on a page, off the event loop: newest first until the page is full',
  ),
  reviewed(
    'events.page',
    'findings like',
    'a search on a page, off the event loop: newest first until the page is full',
  ),
  reviewed(
    'requests.countPendingByKind',
    'count(*)',
    'it counts the requests that wait in one organization, by their index',
  ),
  reviewed(
    'events.page',
    'tags like',
    'a filter on a page, off the event loop: newest first of the events with tags until the page is full',
  ),
  reviewed(
    'requests.list',
    '"status" =',
    'a filter on a page: newest first until the page is full; requests are made by people',
  ),
  reviewed(
    'requests.list',
    '"device_id" =',
    'the requests of one device, newest first; requests are made by people',
  ),
  reviewed(
    'eventCounts.latenciesUs',
    'device_id is null',
    'the newest events without a device, off the event loop',
  ),
  reviewed('invitations.listOpen', '', 'the invitations of one organization, made by people'),
  reviewed('allowedTexts.list', '', 'the texts that people of one organization allowed'),
  reviewed('allowedTexts.removeOfEvent', '', 'the texts that people of one organization allowed'),
  reviewed(
    'enrollments.revokeByMember',
    'update "enrollments"',
    'the enrollments of one organization, when a member leaves',
  ),
  reviewed('audit.summarize', 'count(*)', 'it counts the rows of a span for evidence, off the event loop'),
  reviewed('audit.listUnstamped', '"audit_checkpoints"', 'a job; one checkpoint of each chain'),
  reviewed('scrapeJobs.countPending', 'count(*)', 'it counts the pages that wait; their number is limited'),
  reviewed('notifications.prune', 'delete from', 'a job; marks are a few for each organization'),
  reviewed('endpoints.listOrganizations', 'distinct', 'a job; an organization has few endpoints'),
];

/** Methods that run no statement of their own while they are recorded, and where their cost is tested. */
export const UNRECORDED: Readonly<Record<string, string>> = {
  'decisions.record': 'prepared statements of storage/batch, all by key',
  'audit.verify': 'reads a whole chain on a thread: verify-thread.test.ts; it reads events like events.find',
  'audit.exportLines': 'its pages are read outside of the call; it reads a whole chain',
  'audit.from': 'runs what is passed to it',
  'audit.storeTimestamp': 'adds a row by its key',
  'usage.admit': 'prepared statements of storage/batch, all by key',
  'deliveries.replay': 'needs deliveries that failed; only the tests of its route call it',
  'singleSignOn.link': 'adds a row by its key',
  'singleSignOn.begin': 'adds a row by its key',
  'singleSignOn.domainProof': 'computes',
  'projects.maskDigests': 'computes',
  'keys.touchLastUsed': 'waits for the next batch',
  'idempotency.stop': 'ends a timer',
  'allowedTexts.keyOf': 'computes',
  'conversationNotes.keyOf': 'computes',
};
