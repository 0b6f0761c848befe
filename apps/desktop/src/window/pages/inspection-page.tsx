import { Card, Code, Group, List, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AgentStatus, InspectionScope } from '../../agent/control/control-messages.ts';
import { invoke } from '../bridge.ts';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { useBridgeQuery } from '../use-bridge-query.ts';

/** Describes the inspection in plain words, from the configuration in effect. */
export function InspectionPage({ status }: { readonly status: AgentStatus }) {
  const [read] = useBridgeQuery(() => invoke('sight'), status.policy_version);
  const organization = status.account_name ?? 'your organization';
  return (
    <Page
      title="What is monitored?"
      about="What the agent inspects on this computer, and what it never inspects."
    >
      <Loaded read={read}>
        {(scope) =>
          scope === null ? (
            <Card>Nothing. No policy has been received from the service yet.</Card>
          ) : (
            <InspectionDetails scope={scope} organization={organization} />
          )
        }
      </Loaded>
    </Page>
  );
}

function InspectionDetails({
  scope,
  organization,
}: {
  readonly scope: InspectionScope;
  readonly organization: string;
}) {
  return (
    <>
      <Section title="Inspected">
        <Text size="sm" mb={6}>
          Your messages to these AI tools, and the responses:
        </Text>
        <Hosts names={scope.hosts} />
        <Text size="sm" mt="xs">
          Texts are scanned for personal data, secrets and harmful instructions by the service of{' '}
          {organization}, or on this computer if the service does not respond.
        </Text>
      </Section>
      <Section title="Never inspected">
        <Text size="sm">
          Everything else, such as your email, online banking, searches and files. All other traffic passes
          unread, and its destinations are not reported.
        </Text>
        {scope.bypass_hosts.length > 0 && (
          <>
            <Text size="sm" mt="xs" mb={6}>
              These AI tools are also not inspected:
            </Text>
            <Hosts names={scope.bypass_hosts} />
          </>
        )}
      </Section>
      <Section title="Stored">
        <List size="sm" spacing={2}>
          <List.Item>The time and the AI tool of each decision.</List.Item>
          <List.Item>The type of the finding, such as “Personal data”, and the action taken.</List.Item>
          <List.Item>The status of this computer and the version of the agent.</List.Item>
        </List>
        <Text size="sm" mt="xs" fw={550}>
          Your messages and the responses are not stored, neither on this computer nor by the service.
        </Text>
      </Section>
      <Section title="Actions">
        <List size="sm" spacing={2}>
          <List.Item>
            {scope.mode === 'monitor'
              ? 'Nothing is currently blocked or changed. Findings are only counted.'
              : 'Prohibited content is blocked or redacted. You are notified immediately.'}
          </List.Item>
          <List.Item>
            {scope.fail_closed
              ? 'Messages that cannot be evaluated are blocked.'
              : 'Messages that cannot be evaluated are allowed and reported.'}
          </List.Item>
          {scope.blocked_tools.length > 0 && (
            <List.Item>
              Blocked AI tools: {scope.blocked_tools.join(', ')}.{' '}
              <a href="#/requests/new?kind=tool">Request a tool</a>
            </List.Item>
          )}
        </List>
      </Section>
    </>
  );
}

function Section(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card component="section" aria-label={props.title}>
      <Title order={2} mb="xs">
        {props.title}
      </Title>
      {props.children}
    </Card>
  );
}

function Hosts({ names }: { readonly names: readonly string[] }) {
  return (
    <Group gap={6} component="ul" className="rows">
      {names.map((name) => (
        <Code key={name} component="li" style={{ border: 0 }}>
          {name.replace(/^\*\./, '… .')}
        </Code>
      ))}
    </Group>
  );
}
