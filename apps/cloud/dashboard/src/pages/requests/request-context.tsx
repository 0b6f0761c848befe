import type { RequestContext } from '@csg/shared/contract';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { ThreatText } from '../../components/badges.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';

/** Facts about a request that the requester did not write: the person, the device, and the event that caused it. */
export function RequestContextLine(props: {
  readonly context: RequestContext;
  /** True if the person is the requester, who is already named. */
  readonly hidesPerson?: boolean;
}) {
  const { context, hidesPerson = false } = props;
  const { person, device, project, event } = context;
  const facts = [
    ...(person === null || hidesPerson ? [] : [`Person: ${person}`]),
    ...(device === null ? [] : [`Device: ${device}`]),
    ...(project === null ? [] : [`Project: ${project}`]),
  ];
  return (
    <>
      {facts.length > 0 && (
        <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {facts.join(' · ')}
        </Text>
      )}
      {event !== null && (
        <Text size="sm" mt={4} component="div">
          Event:{' '}
          <Anchor
            component={Link}
            to={`/events/${encodeURIComponent(event.id)}`}
            size="sm"
            underline="always"
          >
            {DECISION_TEXTS[event.decision]}
            {event.threat_type === null ? '' : ': '}
            {event.threat_type !== null && <ThreatText type={event.threat_type} />}
          </Anchor>{' '}
          <TimeAgo at={event.at} />
          {event.model === null ? '' : ` · ${event.model}`}
        </Text>
      )}
    </>
  );
}

const DECISION_TEXTS = { allow: 'Allowed', redact: 'Redacted', block: 'Blocked' } as const;
