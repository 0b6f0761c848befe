/**
 * Source files with logic that have no test file of their own, and which test runs them instead. Held to both ways:
 * an entry that matches no such file, or names a test that is gone, is a fault.
 */
export interface TestedElsewhere {
  /** A file, or a folder with a slash at its end. */
  readonly source: string;
  readonly by: string;
  readonly because: string;
}

export const TESTED_ELSEWHERE: readonly TestedElsewhere[] = [
  ...['features', 'score-guarded'].map((name) => ({
    source: `shared/detection/guarded/${name}.ts`,
    by: 'test/scripts/detector/learn-guarded.test.ts',
    because: 'the trainer learns from these features and scores with them',
  })),
  {
    source: 'shared/detection/guarded/tables.ts',
    by: 'test/shared/detection/guarded/read-guard.test.ts',
    because: 'a guard is read by these words',
  },
  {
    source: 'apps/desktop/src/main/start-agent.ts',
    by: 'test/desktop/main/agent-link.test.ts',
    because: 'a link starts real agents, also ones that exit and ones that cannot be started',
  },
  {
    source: 'apps/desktop/src/main/enroll-by-file.ts',
    by: 'test/e2e/desktop-app-trust.test.ts',
    because: 'the app that starts finds the file of an administrator',
  },
  {
    source: 'apps/cloud/src/flows/usage-report/read-provider-report.ts',
    by: 'test/cloud/flows/usage-report/reconcile-usage.test.ts',
    because: 'reports in every form are compared through the route that reads them',
  },
  {
    source: 'apps/cloud/src/timestamps/verify-timestamp.ts',
    by: 'test/cloud/timestamps/timestamp-authority.test.ts',
    because: 'a real authority signs what it verifies',
  },
  ...['flows/evidence/', 'storage/audit/summarize-chain.ts'].map((source) => ({
    source: `apps/cloud/src/${source}`,
    by: 'test/cloud/routes/dashboard/evidence.test.ts',
    because: 'its figures are compared with a count by hand, through the route that reports them',
  })),
  ...['flows/mcp/', 'upstream/mcp-transport.ts', 'config/mcp-servers.ts', 'routes/client-left.ts'].map(
    (source) => ({
      source: `apps/cloud/src/${source}`,
      by: 'test/cloud/routes/mcp-gateway.test.ts',
      because: 'what passes between an assistant and a server shows with the official package at both ends',
    }),
  ),
  {
    source: 'apps/cloud/src/flows/streams/create-response.ts',
    by: 'test/cloud/routes/responses-socket.test.ts',
    because: 'it shows over a connection of the openai package',
  },
  {
    source: 'apps/cloud/src/flows/streams/read-events.ts',
    by: 'test/cloud/routes/mcp-gateway.test.ts',
    because: 'a server of the official package sends the events',
  },
  {
    source: 'apps/cloud/src/flows/agent/text-places.ts',
    by: 'test/cloud/flows/approvals/passed-texts.test.ts',
    because: 'what was decided about a text is found again by its place',
  },
  {
    source: 'apps/cloud/src/flows/insight/count-withheld.ts',
    by: 'test/cloud/routes/dashboard/allowed-texts.test.ts',
    because: 'what was withheld is counted from events of real requests',
  },
  {
    source: 'apps/cloud/src/flows/token-budget.ts',
    by: 'test/cloud/flows/key-limits.test.ts',
    because: 'it is one of the limits of a key',
  },
  {
    source: 'apps/cloud/src/flows/mcp/manage-servers.ts',
    by: 'test/cloud/routes/dashboard/mcp-servers.test.ts',
    because: 'an admin manages servers through their routes',
  },
  {
    source: 'apps/cloud/src/outbound/guarded-dispatchers.ts',
    by: 'test/cloud/outbound/guarded-connector.test.ts',
    because: 'each of them connects through the guard',
  },
  ...['mcp-servers', 'mcp-tools'].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-mcp.test.ts',
    because: 'repositories are held to their laws on both engines',
  })),
  ...[
    ...['change-targets', 'find-signals', 'notify', 'send-notifications'].map(
      (name) => `flows/notifications/${name}.ts`,
    ),
    'storage/repositories/notifications.ts',
  ].map((source) => ({
    source: `apps/cloud/src/${source}`,
    by: 'test/cloud/routes/dashboard/notification-targets.test.ts',
    because: 'recipients, contents and form show in what real endpoints receive',
  })),
  ...[
    'webhooks/outbound/project-webhooks.ts',
    'webhooks/outbound/route-deliveries.ts',
    'storage/repositories/further-webhooks.ts',
  ].map((source) => ({
    source: `apps/cloud/src/${source}`,
    by: 'test/cloud/routes/dashboard/project-webhooks.test.ts',
    because: 'which endpoint is sent what shows in what real endpoints receive',
  })),
  ...[
    'flows/single-sign-on/',
    'single-sign-on/',
    'outbound/read-txt-records.ts',
    'routes/dashboard/sso-problem-page.ts',
    'storage/repositories/single-sign-on.ts',
  ].map((source) => ({
    source: `apps/cloud/src/${source}`,
    by: 'test/cloud/routes/dashboard/single-sign-on.test.ts',
    because: 'a sign-in goes through all of it, with a real provider and a DNS server',
  })),
  {
    source: 'apps/cloud/src/flows/blocked-error.ts',
    by: 'test/cloud/flows/relay-completion.test.ts',
    because: 'what a refusal says shows in what the client is answered',
  },
  {
    source: 'apps/cloud/src/flows/decision-notices.ts',
    by: 'test/cloud/webhooks/outbound/decision-webhooks-sent.test.ts',
    because: 'the content of webhooks shows in what is sent',
  },
  {
    source: 'apps/cloud/src/flows/relay-reply.ts',
    by: 'test/cloud/flows/relay-completion.test.ts',
    because: 'what is returned for a response shows in what the client is answered',
  },
  ...['cloud-client/mask-digest', 'inspect/round-trip-masks'].map((name) => ({
    source: `apps/desktop/src/${name}.ts`,
    by: 'test/desktop/exchange/stream-delivery-masks.test.ts',
    because: 'what is masked and put back shows in what a provider and a client receive',
  })),
  {
    source: 'apps/desktop/src/inspect/release-stream.ts',
    by: 'test/desktop/exchange/stream-delivery.test.ts',
    because: 'what leaves of a stream shows in what a client receives through the proxy',
  },
  {
    source: 'apps/desktop/src/inspect/held-calls.ts',
    by: 'test/desktop/inspect/hold-tool-calls.test.ts',
    because: 'which calls are held shows in what becomes of the response',
  },
  {
    source: 'shared/flow-control/',
    by: 'test/shared/flow-control/trace-calls.test.ts',
    because: 'where a value comes from shows in what is held, and each part has cases of its own there',
  },
  {
    source: 'shared/providers/tool-calls/read-guard-calls.ts',
    by: 'test/cloud/flows/agent/trace-tool-calls.test.ts',
    because: 'the calls that guard asks about are tested where they are held',
  },
  {
    source: 'shared/providers/tool-calls/tool-call.ts',
    by: 'test/shared/providers/tool-calls/read-calls.test.ts',
    because: 'a call is tested as it stands in a body',
  },
  {
    source: 'apps/cloud/src/flows/complete-response.ts',
    by: 'test/cloud/flows/relay-completion.test.ts',
    because: 'it is the second half of a model request, which shows as a whole',
  },
  ...['restore-response', 'round-trip'].map((name) => ({
    source: `shared/release/${name}.ts`,
    by: 'test/cloud/flows/masking/round-trip.test.ts',
    because: 'what is put back shows in what a client is sent',
  })),
  {
    source: 'shared/release/live-bytes.ts',
    by: 'test/shared/release/live-release.test.ts',
    because: 'bytes leave as the frames in them are released',
  },
  {
    source: 'shared/release/create-release.ts',
    by: 'test/cloud/flows/streams/stream-body.test.ts',
    because: 'what leaves of a stream shows in what a client is sent',
  },
  ...['output-mode', 'verdict-comment'].map((name) => ({
    source: `apps/cloud/src/flows/streams/${name}.ts`,
    by: 'test/cloud/flows/streams/stream-body.test.ts',
    because: 'what leaves of a stream, and when, shows in what a client is sent',
  })),
  {
    source: 'apps/cloud/src/flows/streams/settled-within.ts',
    by: 'test/cloud/flows/streams/stream-response.test.ts',
    because: 'what comes late shows in what a client is sent',
  },
  {
    source: 'shared/providers/reading/read-frames.ts',
    by: 'test/shared/release/live-release.test.ts',
    because:
      'a frame is read as a part of a stream, of which nothing may leave that the whole is blocked for',
  },
  {
    source: 'shared/detection/pieces/repetition-check.ts',
    by: 'test/cloud/flows/streams/stream-body.test.ts',
    because: 'that instructions are repeated shows in what of them has left',
  },
  {
    source: 'apps/cloud/src/flows/event-findings.ts',
    by: 'test/cloud/flows/evaluate-texts.test.ts',
    because: 'it is read in the events that are recorded',
  },
  {
    source: 'apps/cloud/src/wire/iso-time.ts',
    by: 'test/cloud/wire/wire-of.test.ts',
    because: 'times are written with the records that have them',
  },
  {
    source: 'apps/cloud/src/openapi/webhooks.ts',
    by: 'test/e2e/webhook-events.test.ts',
    because: 'what it describes is held to what endpoints are really sent',
  },
  {
    source: 'apps/cloud/src/openapi/register-openapi.ts',
    by: 'test/e2e/openapi.test.ts',
    because: 'it joins the parts of the document, which shows in the document that is served',
  },
  ...['label-extent', 'line-shapes', 'lines'].map((name) => ({
    source: `shared/detection/passages/${name}.ts`,
    by: 'test/shared/detection/passages/marked-passages.test.ts',
    because: 'what a line looks like, and where a label ends, shows in the passages of a text',
  })),
  ...['reading-turn', 'read-files-worker'].map((name) => ({
    source: `apps/cloud/src/files/${name}.ts`,
    by: 'test/cloud/files/file-reader.test.ts',
    because: 'what a thread says, and how it is ended, shows in what is read',
  })),
  ...['file-text', 'open-zip', 'reading-limits', 'read-zip', 'unpack'].map((name) => ({
    source: `apps/cloud/src/files/${name}.ts`,
    by: 'test/cloud/files/read-file.test.ts',
    because: 'what is in a file shows when the whole file is read',
  })),
  ...['shared-strings', 'xml-texts'].map((name) => ({
    source: `apps/cloud/src/files/${name}.ts`,
    by: 'test/cloud/files/read-office.test.ts',
    because: 'what a part says shows in the Office file it is a part of',
  })),
  {
    source: 'apps/cloud/src/flows/read-pdf-page.ts',
    by: 'test/cloud/routes/scrape.test.ts',
    because: 'a PDF as a page shows where one is scraped',
  },
  {
    source: 'apps/cloud/src/run-gateway.ts',
    by: 'test/cloud/serve.test.ts',
    because: 'it is what `serve` does in one process',
  },
  {
    source: 'apps/cloud/src/storage/reconnecting-pool.ts',
    by: 'test/conformance/storage-faults.test.ts',
    because: 'a server that goes away is a real one',
  },
  {
    source: 'apps/cloud/src/flows/read-readiness.ts',
    by: 'test/cloud/run-process-disks.test.ts',
    because: 'readiness is what a real disk and a real database make of it',
  },
  {
    source: 'apps/cloud/src/limits/shared-limits.ts',
    by: 'test/e2e/four-instances.test.ts',
    because: 'it only opens two parts that have tests of their own',
  },
  {
    source: 'apps/cloud/src/limits/redis-problem.ts',
    by: 'test/cloud/limits/redis-limiter.test.ts',
    because: 'what it puts into words is what a real Redis says',
  },
  ...['drain-on-signal', 'gateway/worker-metrics', 'commands/serve-command'].map((name) => ({
    source: `apps/cloud/src/${name}.ts`,
    by: 'test/cloud/run-workers.test.ts',
    because: 'signals, arguments and messages between processes show in real processes',
  })),
  ...['detection', 'endpoints', 'jobs', 'limits', 'readers', 'records'].map((name) => ({
    source: `apps/cloud/src/gateway/open-${name}.ts`,
    by: 'test/cloud/gateway/open-gateway-failures.test.ts',
    because: 'each of them is made to fail, and has to leave nothing open',
  })),
  {
    source: 'apps/cloud/src/config/setting.ts',
    by: 'test/cloud/config/parse-config.test.ts',
    because: 'what a kind of setting accepts shows in the settings that are of it',
  },
  ...[
    'plugins/tracing',
    ...['open-telemetry', 'request-traces', 'span', 'instrument'].map((name) => `telemetry/${name}`),
  ].map((name) => ({
    source: `apps/cloud/src/${name}.ts`,
    by: 'test/e2e/opentelemetry.test.ts',
    because: 'the telemetry of a request shows at the collector',
  })),
  ...['event-feedback', 'event-counts', 'security-test-runs'].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-insight.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
  ...[
    'flows/change-project',
    'flows/insight/',
    'flows/security-testing/save-run',
    ...[
      'caller-of',
      'exceptions',
      'tool-requests',
      'devices',
      'export-devices',
      'enrollments',
      'event-records',
      'keys',
      'overview',
      'playground',
      'projects',
      'security-testing',
    ].map((name) => `routes/dashboard/${name}`),
  ].map((name) => ({
    source: `apps/cloud/src/${name}${name.endsWith('/') ? '' : '.ts'}`,
    by: 'test/cloud/routes/dashboard/desk.test.ts',
    because: 'flows and routes of the desk show what they do over a socket, as the pages use them',
  })),
  ...[
    'data/hooks',
    'data/names',
    'data/projects',
    'data/session',
    'data/pending-count',
    'components/form-errors',
  ].map((name) => ({
    source: `apps/cloud/dashboard/src/${name}.ts`,
    by: 'test/e2e/dashboard.test.ts',
    because: 'it is what pages do in a real browser',
  })),
  {
    source: 'apps/cloud/dashboard/src/pages/auth/use-sign-in.ts',
    by: 'test/e2e/dashboard-people.test.ts',
    because: 'people get in by it, in a real browser',
  },
  ...[
    'cli',
    'commands/command-line',
    'commands/enrollment-commands',
    'commands/state-commands',
    'commands/trust-commands',
    'create-active-agent',
    'enrollment/enroll',
    'enrollment/unenroll',
    'protection/protection',
    'protection/proxy-program',
    'commands/autostart-command',
    'protection/system-setting',
    'run-agent',
    'settings/agent-package',
    'status/doctor',
    'status/read-status',
  ].map((name) => ({
    source: `apps/desktop/src/agent/${name}.ts`,
    by: 'test/e2e/desktop-agent.test.ts',
    because: 'commands and wiring show what they do in a real process with a real service',
  })),
  ...['commands/request-commands', 'service/service-session', 'status/diagnostics'].map((name) => ({
    source: `apps/desktop/src/agent/${name}.ts`,
    by: 'test/e2e/desktop-requests.test.ts',
    because: 'they speak with a real service for a real agent',
  })),
  ...[
    ...['change-webhook', 'deliveries', 'new-delivery', 'webhook-records'].map(
      (name) => `webhooks/outbound/${name}`,
    ),
  ].map((name) => ({
    source: `apps/cloud/src/${name}.ts`,
    by: 'test/cloud/routes/dashboard/webhooks.test.ts',
    because: 'what an admin does to a webhook shows at its receiver',
  })),
  ...[
    'access/token-operations',
    'flows/accounts/organization-tokens',
    'storage/repositories/organization-tokens',
    'storage/repositories/person-for-request',
  ].map((name) => ({
    source: `apps/cloud/src/${name}.ts`,
    by: 'test/cloud/routes/dashboard/organization-tokens.test.ts',
    because: 'what a token may do shows where a program sends it',
  })),
  {
    source: 'apps/cloud/src/storage/repositories/project-roles.ts',
    by: 'test/conformance/storage-accounts.test.ts',
    because: 'repositories are held to their laws on both engines',
  },
  ...['flows/allowed-texts', 'routes/feedback', 'storage/repositories/allowed-texts'].map((name) => ({
    source: `apps/cloud/src/${name}.ts`,
    by: 'test/cloud/routes/dashboard/allowed-texts.test.ts',
    because: 'what an approver allows shows in the decisions that follow',
  })),
  ...['flows/decided-by', 'wire/csv', 'storage/repositories/saved-filters']
    .concat(['export-events', 'saved-filters'].map((name) => `routes/dashboard/${name}`))
    .map((name) => ({
      source: `apps/cloud/src/${name}.ts`,
      by: 'test/cloud/routes/dashboard/events.test.ts',
      because: 'what people search, save and export shows over a socket',
    })),
  {
    source: 'apps/cloud/src/commands/operator-caller.ts',
    by: 'test/cloud/commands/manage-keys-command.test.ts',
    because: 'commands that need rights and a plan act as it says',
  },
  ...['app/use-shortcuts.ts', 'data/done-steps.ts'].map((source) => ({
    source: `apps/cloud/dashboard/src/${source}`,
    by: 'test/e2e/dashboard-ease.test.ts',
    because: 'keys and first steps show in a real browser',
  })),
  {
    source: 'apps/cloud/src/guide/',
    by: 'test/cloud/routes/guide.test.ts',
    because: 'pages and search show as a browser gets them',
  },
  ...['flows/usage-report/', 'plugins/rejected-usage.ts'].map((source) => ({
    source: `apps/cloud/src/${source}`,
    by: 'test/cloud/routes/dashboard/usage-report.test.ts',
    because: 'what is counted shows in a report of real requests',
  })),
  ...['usage-rows', 'model-names'].map((name) => ({
    source: `apps/cloud/src/storage/batch/${name}.ts`,
    by: 'test/conformance/storage-insight.test.ts',
    because: 'both engines count a decision with its usage',
  })),
  {
    source: 'apps/cloud/src/storage/repositories/usage-details.ts',
    by: 'test/conformance/storage-insight.test.ts',
    because: 'both engines add up the same',
  },
  {
    source: 'apps/cloud/src/storage/repositories/policy-versions.ts',
    by: 'test/conformance/storage-fleet.test.ts',
    because: 'both engines store what policies said before',
  },
  {
    source: 'apps/cloud/src/flows/policies/',
    by: 'test/cloud/routes/dashboard/policies.test.ts',
    because: 'a policy is what the next request meets',
  },
  {
    source: 'shared/detection/detectors/custom.ts',
    by: 'test/shared/detection/policies/custom-rules.test.ts',
    because: 'it only finds where the rules say',
  },
  {
    source: 'apps/cloud/src/flows/retention/',
    by: 'test/cloud/routes/dashboard/retention.test.ts',
    because: 'what is kept shows in what is left',
  },
  ...['flows/usage-alerts/usage-alert-email', 'storage/repositories/usage-alerts'].map((name) => ({
    source: `apps/cloud/src/${name}.ts`,
    by: 'test/cloud/flows/usage-alerts/send-usage-alerts.test.ts',
    because: 'together they tell an account of its month, once',
  })),
  {
    source: 'apps/cloud/src/flows/audit/',
    by: 'test/cloud/routes/dashboard/audit.test.ts',
    because: 'what an auditor asks is asked by a route',
  },
  {
    source: 'apps/cloud/src/flows/usage-alerts/read-usage-overview.ts',
    by: 'test/cloud/routes/dashboard/usage.test.ts',
    because: 'it is what the page receives',
  },
  {
    source: 'apps/cloud/src/access/require-feature.ts',
    by: 'test/cloud/routes/dashboard/webhooks.test.ts',
    because: 'a plan shows in what its routes refuse',
  },
  ...['main/app-tray.ts', 'main/app-window.ts', 'main/show-notice.ts', 'main/window-calls.ts', 'window/'].map(
    (name) => ({
      source: `apps/desktop/src/${name}`,
      by: 'test/e2e/desktop-window.test.ts',
      because: 'it is what people see and click',
    }),
  ),
  {
    source: 'apps/cloud/src/routes/dashboard/own-invitations.ts',
    by: 'test/cloud/routes/scim/users-consent.test.ts',
    because: 'a directory is who invites people that have an account',
  },
  {
    source: 'apps/cloud/src/flows/accounts/',
    by: 'test/cloud/routes/dashboard/account.test.ts',
    because:
      'what people do about accounts, members, invitations and emails is tested over sockets, one test per page',
  },
  ...['plugins/session.ts', 'plugins/session-cookie.ts'].map((name) => ({
    source: `apps/cloud/src/${name}`,
    by: 'test/cloud/routes/dashboard/session.test.ts',
    because: 'a session is what signing in makes',
  })),
  ...['browser-of', 'dashboard-route', 'directory-tokens', 'emails', 'second-factor', 'sign-up'].map(
    (name) => ({
      source: `apps/cloud/src/routes/dashboard/${name}.ts`,
      by: 'test/e2e/dashboard-access.test.ts',
      because: 'every route is walked there by every caller, and held to the document',
    }),
  ),
  ...['plugins/directory-auth.ts', 'routes/scim/'].map((name) => ({
    source: `apps/cloud/src/${name}`,
    by: 'test/cloud/routes/scim/users.test.ts',
    because: 'a directory is served by all of it',
  })),
  {
    source: 'apps/cloud/src/limits/sign-in-throttle.ts',
    by: 'test/cloud/flows/accounts/sign-in.test.ts',
    because: 'it is three holds of a kind that has its own test',
  },
  {
    source: 'apps/cloud/src/access/find-project.ts',
    by: 'test/cloud/routes/dashboard/webhooks.test.ts',
    because: 'a project of another organization does not exist for the caller',
  },
  {
    source: 'apps/cloud/src/access/account-of.ts',
    by: 'test/cloud/flows/authenticate-key.test.ts',
    because: 'it is what a key’s account is read by',
  },
  {
    source: 'apps/cloud/src/flows/approvals/',
    by: 'test/cloud/routes/exceptions.test.ts',
    because: 'who asks and who decides are two sides of one story, told over sockets',
  },
  {
    source: 'apps/cloud/src/flows/devices/',
    by: 'test/cloud/routes/devices.test.ts',
    because: 'what a device receives follows from its reports and what admins did',
  },
  {
    source: 'apps/cloud/src/flows/ruleset-input.ts',
    by: 'test/cloud/routes/devices.test.ts',
    because: 'it is what the signed configuration carries',
  },
  {
    source: 'apps/cloud/src/plugins/web-sockets.ts',
    by: 'test/cloud/routes/device-channel.test.ts',
    because: 'the channel is what it is for',
  },
  ...['approval-queries', 'exceptions', 'fleet-settings', 'list-steps', 'tool-requests'].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-approvals.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
  ...['agent-calls', 'conversation-notes', 'tool-lists', 'tool-reviews'].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-agents.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
  ...['scrape-jobs', 'code-repositories'].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-scrape-jobs.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
  ...['mcp/gateway-tools', 'mcp/guard-proxy', 'mcp/tool-call-evaluator', 'commands/mcp-command'].map(
    (name) => ({
      source: `apps/cloud/src/${name}.ts`,
      by: 'test/cloud/mcp/mcp.test.ts',
      because: 'a real MCP client tests it at the other end of a pipe',
    }),
  ),
  {
    source: 'shared/providers/mcp/mcp-guard.ts',
    by: 'test/shared/providers/mcp/mcp-lines.test.ts',
    because: 'what becomes of a message shows in what becomes of its line',
  },
  {
    source: 'shared/client/index.ts',
    by: 'test/shared/client/client.test.ts',
    because: 'the file is the package, and the test is named after that',
  },
  ...['browser-host', 'guarded-proxy', 'mark-hidden'].map((name) => ({
    source: `apps/cloud/src/scrape/render/${name}.ts`,
    by: 'test/cloud/scrape/render/render-page.test.ts',
    because: 'what it does is seen in what a real Chromium shows and cannot reach',
  })),
  {
    source: 'apps/cloud/src/storage/write-backup.ts',
    by: 'test/cloud/commands/backup-command.test.ts',
    because: 'a copy is whole when a service starts from it',
  },
  {
    source: 'apps/cloud/src/commands/tool-lists-command.ts',
    by: 'test/cloud/commands/tool-reviews-command.test.ts',
    because: 'lists are what calls are reviewed by',
  },
  {
    source: 'apps/cloud/src/routes/dashboard/policy-webhook.ts',
    by: 'test/cloud/routes/policy-webhook.test.ts',
    because: 'its settings are seen in what it does',
  },
  {
    source: 'apps/cloud/src/webhooks/policy-endpoint/change-policy-webhook.ts',
    by: 'test/cloud/routes/policy-webhook.test.ts',
    because: 'what an endpoint says is seen in what callers and providers get',
  },
  ...['receive-delivery', 'bind-repository'].map((name) => ({
    source: `apps/cloud/src/webhooks/code-hosting/${name}.ts`,
    by: 'test/cloud/routes/code-hosting.test.ts',
    because: 'a repository is bound so that what it delivers is scanned',
  })),
  ...['flows/scrape-batch/batch', 'flows/scrape-batch/batch-runner'].map((name) => ({
    source: `apps/cloud/src/${name}.ts`,
    by: 'test/cloud/routes/scrape-batch.test.ts',
    because: 'what is sent, fetched, kept and asked for is one story, told over sockets',
  })),
  {
    source: 'apps/cloud/src/flows/principal-of-project.ts',
    by: 'test/cloud/routes/scrape-batch.test.ts',
    because: 'it is whose rules a page of a batch is read by',
  },
  ...['change-tool-lists', 'note-taint', 'tool-reviews', 'validate-tool'].map((name) => ({
    source: `apps/cloud/src/flows/agent/${name}.ts`,
    by: 'test/cloud/routes/agent.test.ts',
    because: 'a call, its review and what its session read are one story, told over sockets',
  })),
  ...[
    'agent-program',
    'launchd-autostart',
    'run-steps',
    'service-file',
    'systemd-autostart',
    'windows-autostart',
  ].map((name) => ({
    source: `apps/desktop/src/agent/autostart/${name}.ts`,
    by: 'test/desktop/agent/autostart/create-autostart.test.ts',
    because: 'every service manager is held to the same, by its commands',
  })),
  {
    source: 'apps/desktop/src/agent/settings/escape-xml.ts',
    by: 'test/desktop/agent/autostart/launchd-plist.test.ts',
    because: 'a real parser reads back what was escaped',
  },
  {
    source: 'apps/desktop/src/agent/commands/answer-hook-locally.ts',
    by: 'test/desktop/agent/commands/hook-command.test.ts',
    because: 'it is what the command does without the service',
  },
  {
    source: 'shared/providers/hooks/hook-forms.ts',
    by: 'test/shared/providers/hooks/read-hook.test.ts',
    because: 'a table shows in what is read by it',
  },
  {
    source: 'apps/cloud/src/upstream/stream-text.ts',
    by: 'test/cloud/routes/relay-bedrock.test.ts',
    because: 'it only chooses how a stream is read and ended, which shows in what a client gets',
  },
  ...[
    'members',
    'organizations',
    'projects',
    'provider-credentials',
    'subscriptions',
    'users',
    'repository-deps',
  ].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-accounts.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
  ...[
    'account-links',
    'directory',
    'invitations',
    'known-browsers',
    'emails',
    'second-factors',
    'sessions',
  ].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-people.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
  ...['devices', 'enrollments', 'policies'].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-fleet.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
  {
    source: 'apps/cloud/src/storage/repositories/deletions.ts',
    by: 'test/conformance/storage-deletions.test.ts',
    because: 'a repository keeps the same laws on both engines',
  },
  {
    source: 'apps/cloud/src/flows/delete-events.ts',
    by: 'test/cloud/flows/delete-project.test.ts',
    because: 'the events of a project are deleted with it',
  },
  {
    source: 'apps/cloud/src/storage/repositories/erasures.ts',
    by: 'test/cloud/flows/audit/erase-user.test.ts',
    because: 'what is erased is looked for in every table',
  },
  ...['webhooks', 'webhook-claims', 'webhook-rows', 'webhook-targets'].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-webhooks.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
  ...['keys', 'key-for-auth'].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-keys.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
  ...['events', 'usage'].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/conformance/storage-record.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
  ...['count-sealed', 'open-vault', 'repositories/master-keys'].map((name) => ({
    source: `apps/cloud/src/storage/${name}.ts`,
    by: 'test/conformance/storage-master-key.test.ts',
    because: 'a change of the master key goes through everything sealed, on both engines',
  })),
  {
    source: 'apps/cloud/src/storage/repositories/webhook-control.ts',
    by: 'test/cloud/webhooks/outbound/replay-deliveries.test.ts',
    because: 'what is paused, replayed and attempted shows in what real endpoints receive',
  },
  {
    source: 'apps/cloud/src/commands/config-plan.ts',
    by: 'test/cloud/commands/config-command.test.ts',
    because: 'a plan is shown, and made true, by the command',
  },
  {
    source: 'apps/cloud/src/storage/sqlite-read-dialect.ts',
    by: 'test/cloud/storage/sqlite-read-threads.test.ts',
    because: 'it is how queries reach the threads',
  },
  {
    source: 'apps/cloud/src/storage/repositories/idempotency.ts',
    by: 'test/conformance/storage-idempotency.test.ts',
    because: 'a repository keeps the same laws on both engines',
  },
  ...[
    'migrate',
    'open-storage',
    'postgres-engine',
    'repositories/create-repositories',
    'sqlite-driver',
    'sqlite-engine',
  ].map((name) => ({
    source: `apps/cloud/src/storage/${name}.ts`,
    by: 'test/conformance/storage-accounts.test.ts',
    because: 'every law opens a database by them',
  })),
  {
    source: 'apps/cloud/src/storage/audit/',
    by: 'test/conformance/storage-audit.test.ts',
    because: 'the chain, its checkpoints and their verification make one promise',
  },
  {
    source: 'apps/cloud/src/storage/batch/',
    by: 'test/conformance/storage-record.test.ts',
    because: 'what is written in groups keeps the laws of what is written alone',
  },
  {
    source: 'apps/cloud/src/routes/guard.ts',
    by: 'test/e2e/canary-matrix.test.ts',
    because: 'a mark in every field that guard takes is seen',
  },
  ...['load-classifier', 'classifier-worker'].map((name) => ({
    source: `apps/cloud/src/detection-workers/${name}.ts`,
    by: 'test/cloud/detection-workers/classifier.test.ts',
    because: 'one runtime is installed for one file of tests',
  })),
  ...[
    ['detectors/', 'engine', 'a detector is what the engine makes of it'],
    ['lexicon/', 'engine', 'words mean what the engine reads in them'],
    ['model/', 'budget', 'weights and features are judged by their verdicts'],
    ['read/', 'read', 'the halves of reading are one to everybody else'],
    ['normalize/', 'normalize', 'what is cleaned and what is unfolded meet in one map of offsets'],
    ['pii/', 'pii', 'kinds of personal data compete for the same text'],
    ['rules/', 'rules', "rules are data: every rule's own samples are run"],
    ['secrets/', 'secrets', "kinds are data: samples are made from every kind's form"],
    ['presets.ts', 'decide', 'a preset is what is decided under it'],
    ['redact-pii.ts', 'pii', 'redaction is what finding is for'],
  ].map(([source = '', test = '', because = '']) => ({
    source: `shared/detection/${source}`,
    by: `test/shared/detection/${test}.test.ts`,
    because,
  })),
  ...['firefox', 'java', 'linux-system', 'macos-system', 'nss', 'windows-system'].map((name) => ({
    source: `apps/desktop/src/trust/${name}-store.ts`,
    by: 'test/conformance/trust-stores.test.ts',
    because: 'every store keeps the same laws',
  })),
  ...['networksetup-proxy', 'wininet-proxy', 'guard-network', 'restore-journal', 'system-proxy'].map(
    (name) => ({
      source: `apps/desktop/src/network/${name}.ts`,
      by: 'test/conformance/system-proxies.test.ts',
      because: 'every system keeps the same laws',
    }),
  ),
  ...['read-fields', 'request-reading'].map((name) => ({
    source: `apps/desktop/src/inspect/${name}.ts`,
    by: 'test/desktop/inspect/read-request.test.ts',
    because: 'bodies of every kind are read by one function',
  })),
  ...['service-evaluation', 'evaluation'].map((name) => ({
    source: `apps/desktop/src/inspect/${name}.ts`,
    by: 'test/desktop/inspect/evaluate-turn.test.ts',
    because: 'what a turn comes to is put together of both',
  })),
  ...['events', 'exchange-state', 'request-side', 'response-side'].map((name) => ({
    source: `apps/desktop/src/exchange/${name}.ts`,
    by: 'test/desktop/exchange/machine.test.ts',
    because: 'they are the machine: its words, its state and its two sides',
  })),
  ...['client-end', 'evaluate-bodies', 'http1-client', 'http2-client', 'provider-end'].map((name) => ({
    source: `apps/desktop/src/exchange/${name}.ts`,
    by: 'test/desktop/exchange/run-exchange.test.ts',
    because: 'it only does something between two real sockets',
  })),
  ...['open-http1', 'open-http2', 'upstream-pool'].map((name) => ({
    source: `apps/desktop/src/upstream/${name}.ts`,
    by: 'test/desktop/upstream/open-request.test.ts',
    because: 'it only does something between two real sockets',
  })),
  ...['connect-client', 'http-front', 'open-tunnel', 'serve-clients'].map((name) => ({
    source: `apps/desktop/src/proxy/${name}.ts`,
    by: 'test/desktop/proxy/start-proxy.test.ts',
    because: 'it only does something between two real sockets',
  })),
  {
    source: 'apps/desktop/src/supervisor/maintain-watchdog.ts',
    by: 'test/e2e/desktop-faults.test.ts',
    because: 'it keeps a process that only does something when others are killed',
  },
  {
    source: 'apps/desktop/src/supervisor/spawn-proxy.ts',
    by: 'test/desktop/supervisor/run-supervisor.test.ts',
    because: 'a supervised process is what it is for',
  },
];

/** Test support that waits on purpose (a provider that stalls, clients told to come again later, the pause between two looks); no test does so itself. */
export const MAY_WAIT: readonly string[] = [
  'test/support/provider/',
  'test/support/load.ts',
  'test/support/until.ts',
];
