import { Card, Code, Group, List, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AgentSight, AgentStatus } from '../../agent/control/control-messages.ts';
import { invoke } from '../bridge.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { useBridgeQuery } from '../use-read.ts';

/** In a person's words, from the configuration that really holds. */
export function InspectionPage({ status }: { readonly status: AgentStatus }) {
  const [read] = useBridgeQuery(() => invoke('sight'), status.policy_version);
  const organization = status.account_name ?? 'your organization';
  return (
    <Page
      title="What do you see of me?"
      about="What the agent looks at on this computer, and what it never does."
    >
      <Loaded read={read}>
        {(scope) =>
          scope === null ? (
            <Card>Nothing at all: no rules have come from the service yet.</Card>
          ) : (
            <InspectionDetails scope={scope} organization={organization} />
          )
        }
      </Loaded>
    </Page>
  );
}

function InspectionDetails({ scope, organization }: { readonly scope: AgentSight; readonly organization: string }) {
  return (
    <>
      <Section title="Looked at: what goes to these AI tools, and their answers">
        <Hosts names={scope.hosts} />
        <Text size="sm" mt="xs">
          The texts are read to find personal data, secrets and harmful instructions: by the service of{' '}
          {organization}, or on this computer when the service does not answer.
        </Text>
      </Section>
      <Section title="Never looked at: everything else">
        <Text size="sm">
          Your mail, your bank, your searches, your files: all other traffic passes through unread, and nobody
          is told where it goes.
        </Text>
        {scope.bypass_hosts.length > 0 && (
          <>
            <Text size="sm" mt="xs" mb={6}>
              Also left alone, although they are AI tools:
            </Text>
            <Hosts names={scope.bypass_hosts} />
          </>
        )}
      </Section>
      <Section title="Kept">
        <List size="sm" spacing={2}>
          <List.Item>When, and with which AI tool.</List.Item>
          <List.Item>The kind of thing that was found, such as “Personal data”, and what was done.</List.Item>
          <List.Item>That this computer reports, and the version of the agent.</List.Item>
        </List>
        <Text size="sm" mt="xs" fw={550}>
          What you write and what the tools answer is not kept, neither here nor there.
        </Text>
      </Section>
      <Section title="What happens">
        <List size="sm" spacing={2}>
          <List.Item>
            {scope.mode === 'monitor'
              ? 'At the moment nothing is stopped or changed: it is only counted.'
              : 'What must not leave is stopped, or the parts concerned are masked. You see it at once.'}
          </List.Item>
          <List.Item>
            {scope.fail_closed
              ? 'What nobody can judge is stopped.'
              : 'What nobody can judge is let through, and reported.'}
          </List.Item>
          {scope.blocked_tools.length > 0 && (
            <List.Item>
              Not allowed here: {scope.blocked_tools.join(', ')}.{' '}
              <a href="#/requests/new?kind=tool">Ask for one</a>
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
