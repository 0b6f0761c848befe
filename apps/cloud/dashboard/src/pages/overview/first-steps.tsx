import type { Overview } from '@csg/shared/contract';
import { Anchor, Card, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Section } from '../../components/page.tsx';

/** First steps of a new organization; hidden once requests are scanned. */
export function FirstSteps(props: { readonly overview: Overview }) {
  const { first_steps: done, span } = props.overview;
  if (done.has_decision || span !== '24h' || (done.has_key_in_use && done.has_device)) return null;
  const steps = [
    {
      isDone: false,
      to: '/playground',
      title: 'Test a text',
      about:
        'Paste a text into the playground to see the matched rules, their positions, and the result of each preset.',
    },
    {
      isDone: false,
      to: '/projects',
      title: 'Choose a preset',
      about: 'A project sets the use case and strictness of its requests.',
    },
    {
      isDone: done.has_key_in_use,
      to: '/keys',
      title: 'Create an API key and send a request',
      about: 'Change two lines in your application: the base URL and one header.',
    },
    {
      isDone: done.has_device,
      to: '/devices/enroll',
      title: 'Enroll a device',
      about: 'The agent protects AI apps and websites. Enroll devices by link, command or managed file.',
    },
    {
      isDone: done.has_colleague,
      to: '/members',
      title: 'Invite a colleague',
      about: 'Another person has to approve each exception.',
    },
  ];
  return (
    <Card>
      <Section title="First steps">
        <Stack gap="sm" mt={4}>
          {steps.map(({ isDone, to, title, about }) => (
            <Group key={to} gap="sm" wrap="nowrap" align="flex-start">
              <ThemeIcon size={22} radius="xl" variant="light" color={isDone ? 'teal' : 'gray'} mt={1}>
                {isDone ? (
                  <IconCheck size={14} aria-label="done" />
                ) : (
                  <IconCircle size={10} aria-label="to do" />
                )}
              </ThemeIcon>
              <div>
                <Anchor component={Link} to={to} fw={550} size="sm">
                  {title}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {about}
                </Text>
              </div>
            </Group>
          ))}
        </Stack>
      </Section>
    </Card>
  );
}
