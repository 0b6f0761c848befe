import type {
  DashboardException,
  DashboardRequest,
  DashboardToolRequest,
  DashboardToolReview,
  RequestKind,
  ThreatType,
} from '@csg/shared/contract';
import { visibleText } from '@csg/shared/text';
import { Anchor, Code, Spoiler, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ThreatText } from '../../components/badges.tsx';
import { spanText } from '../../data/format.ts';
import { namesOf, THREAT_LABELS, threatLabel } from '../../data/labels.ts';
import { useNames } from '../../data/names.ts';

const MINUTE_MS = 60_000;

/** How requests of one kind are shown, and what follows from their approval. */
interface RequestLook {
  readonly name: string;
  readonly plural: string;
  /** Where such requests come from, for an empty list. */
  readonly origin: ReactNode;
  title(request: DashboardRequest): ReactNode;
  details(request: DashboardRequest): ReactNode;
  /** Name of the requester, if another one than the person says more. */
  requester?(request: DashboardRequest): string;
  effect(request: DashboardRequest): ReactNode;
  /** The requested duration, which an approver can shorten. */
  minutes?(request: DashboardRequest): number;
  /** Threat types that an approver can narrow it to. */
  threats?(request: DashboardRequest): readonly ThreatType[];
  /** What revoking the approval does. */
  readonly revoked?: string;
}

type Of<T, Name extends keyof T> = Readonly<Pick<T, Name>>;
const exceptionOf = ({ details }: DashboardRequest) =>
  details as Of<
    DashboardException,
    'destination_host' | 'policy_id' | 'threat' | 'all_findings' | 'reason_category' | 'requested_minutes'
  >;
const toolOf = ({ details }: DashboardRequest) =>
  details as Of<DashboardToolRequest, 'requested_host' | 'requested_name'>;
const callOf = ({ details }: DashboardRequest) =>
  details as Of<DashboardToolReview, 'agent_id' | 'tool_name' | 'reason' | 'arguments'>;
const reportOf = ({ details }: DashboardRequest) => details as { readonly rules: readonly string[] };

const scopeOf = (request: DashboardRequest) =>
  request.device_id === null ? 'for this organization' : `for ${request.requester}`;

/** Types that are no attacks. */
const OF_DATA: readonly ThreatType[] = ['pii_leak', 'secret_leak', 'custom_policy'];

function Findings({ request }: { readonly request: DashboardRequest }) {
  const { threat, policy_id: policyId, all_findings: isAll } = exceptionOf(request);
  if (policyId !== null)
    return (
      <>
        {threat === null ? 'Findings' : threatLabel(threat)} of the <NameOf id={policyId} /> only
      </>
    );
  if (threat !== null) return `${threatLabel(threat)} only`;
  return isAll === false ? 'Attacks only' : 'All findings, also personal data and secrets';
}

/** A component of its own, so that names are read only where they are shown. */
function NameOf({ id }: { readonly id: string }) {
  return useNames()(id);
}

const ROWS: Readonly<Partial<Record<RequestKind, RequestLook>>> = {
  exception: {
    ...{ name: 'Exception', plural: 'Exceptions' },
    origin:
      'People request exceptions in the agent window or from the link in a block message. You see the requester, host, justification, duration and threat type, but never the text.',
    title: (request) => exceptionOf(request).destination_host,
    details: (request) => {
      const { reason_category: reason, requested_minutes: minutes } = exceptionOf(request);
      const facts = [
        request.device_id === null ? 'whole organization' : 'this device',
        spanText(minutes * MINUTE_MS),
        ...(reason === null ? [] : [`Reason: ${reason.replaceAll('_', ' ')}`]),
      ];
      return (
        <Dimmed>
          <Findings request={request} /> · {facts.join(' · ')}
        </Dimmed>
      );
    },
    effect: (request) => {
      const {
        threat,
        policy_id: policyId,
        all_findings: isAll,
        destination_host: host,
      } = exceptionOf(request);
      return (
        <>
          Until the exception expires, findings in texts to <b>{host}</b> are allowed {scopeOf(request)}:{' '}
          <b>
            <Findings request={request} />
          </b>
          .{' '}
          {threat === null && policyId === null && isAll !== false
            ? 'This includes card numbers and passwords.'
            : 'All others are still blocked.'}
        </>
      );
    },
    threats(request) {
      const { threat, all_findings: isAll } = exceptionOf(request);
      if (threat !== null) return [];
      return namesOf(THREAT_LABELS).filter((type) => isAll !== false || !OF_DATA.includes(type));
    },
    minutes: (request) => exceptionOf(request).requested_minutes,
    revoked: 'The exception stops applying immediately.',
  },
  tool_request: {
    ...{ name: 'AI tool', plural: 'AI tools' },
    origin:
      'Disallowed AI tools are set under Devices, Fleet settings. People request a tool in the agent window.',
    title: (request) => {
      const { requested_name: name, requested_host: host } = toolOf(request);
      return name === null ? host : `${name} (${host})`;
    },
    details: () => null,
    effect: (request) => (
      <>
        <b>{toolOf(request).requested_host}</b> is allowed {scopeOf(request)} until you revoke the approval.
        Its texts are scanned like all others.
      </>
    ),
    revoked: 'The tool is blocked again immediately.',
  },
  tool_review: {
    ...{ name: 'Tool call', plural: 'Agent tool calls' },
    origin: (
      <>
        Tools that require approval are set per project under{' '}
        <Anchor component={Link} to="/tools" size="sm" underline="always">
          Agent tools
        </Anchor>
        . When an agent calls one, the call appears here until an admin decides.
      </>
    ),
    title: (request) => <Code fz="sm">{visibleText(callOf(request).tool_name)}</Code>,
    details: (request) => (
      <>
        <Dimmed>{callOf(request).reason}</Dimmed>
        <Arguments value={callOf(request).arguments} />
      </>
    ),
    requester: (request) => `${visibleText(callOf(request).agent_id)} (${request.requester})`,
    effect: () => 'This call is allowed once within an hour, with exactly the same arguments.',
  },
  false_positive: {
    ...{ name: 'Text', plural: 'Texts' },
    origin:
      'Open an event that was blocked by mistake, select “Allow exactly this text from now on” and report it. The request appears here until another admin decides it.',
    title: ({ event }) =>
      event === null || event.threat_type === null ? 'A text' : <ThreatText type={event.threat_type} />,
    details: (request) => <Dimmed>{reportOf(request).rules.join(', ')}</Dimmed>,
    effect: () =>
      'Exactly this text is neither blocked nor withheld in its project from the next request on. Personal data and secrets in it are still replaced.',
  },
};

/** A kind without a row is shown by what the service says of it. */
function lookOfOther(kind: string): RequestLook {
  const name = `${kind[0]?.toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;
  return {
    ...{ name, plural: name },
    origin: 'Requests appear here until an admin decides them.',
    title: ({ title }) => title,
    details: () => null,
    effect: ({ title }) => `Approves ${title}.`,
  };
}

export const lookOf = ({ kind }: Pick<DashboardRequest, 'kind'>): RequestLook =>
  ROWS[kind] ?? lookOfOther(kind);

function Dimmed({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}

/** The arguments of the pending call. */
function Arguments({ value }: { readonly value: DashboardToolReview['arguments'] }) {
  if (value === null)
    return <Dimmed>The arguments are not stored because this project stores no content.</Dimmed>;
  return (
    <Spoiler maxHeight={200} showLabel="Show all arguments" hideLabel="Show less" mt={6}>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {visibleText(JSON.stringify(value, null, 2))}
      </Code>
    </Spoiler>
  );
}
