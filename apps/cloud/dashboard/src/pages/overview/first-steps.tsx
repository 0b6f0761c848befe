import type { Overview } from '@csg/shared/contract';
import { Anchor, Card, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Section } from '../../components/page.tsx';

/** What a new organization does first; gone once requests are scanned. */
export function FirstSteps(props: { readonly overview: Overview }) {
  const { first_steps: done, span } = props.overview;
  if (done.has_decision || span !== '24h' || (done.has_key_in_use && done.has_device)) return null;
  const steps = [
    {
      isDone: false,
      to: '/playground',
      title: 'See what is stopped',
      about: 'Paste a text into the playground: what fires, where, and what each preset says.',
    },
    {
      isDone: false,
      to: '/projects',
      title: 'Choose a preset',
      about: 'A project says what its requests are for and how strict to be.',
    },
    {
      isDone: done.has_key_in_use,
      to: '/keys',
      title: 'Create a key and send a first request',
      about: 'Two lines in your application: the base address and one header.',
    },
    {
      isDone: done.has_device,
      to: '/devices/enroll',
      title: 'Or enroll a machine',
      about: 'The agent guards AI apps and pages that people use, by a link or a managed file.',
    },
    {
      isDone: done.has_colleague,
      to: '/members',
      title: 'Invite a colleague',
      about: 'Exceptions are decided by somebody other than who asked.',
    },
  ];
  return (
    <Card>
      <Section title="First steps" about="Each can be undone, and says what it does before it does it.">
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
