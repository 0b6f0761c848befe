import type { Overview } from '@csg/shared/contract';
import { Anchor, Button, Card, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Section } from '../../components/page.tsx';
import { hasDoneStep, noteStep } from '../../data/done-steps.ts';

/** First steps of a new organization; hidden once requests are scanned. */
export function FirstSteps(props: { readonly overview: Overview }) {
  const { first_steps: done, span } = props.overview;
  const [isHidden, setIsHidden] = useState(() => hasDoneStep('hidden'));
  // An organization that sends requests needs no list, unless it began with this one.
  const isUnderWay = done.has_decision && !hasDoneStep('begun');
  const steps = [
    {
      isDone: hasDoneStep('playground'),
      to: '/playground',
      title: 'Test a text',
      about:
        'Paste a text into the playground to see the matched rules, their positions, and the result of each preset.',
    },
    {
      isDone: done.has_preset || hasDoneStep('preset'),
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
      about: 'Another person must approve each exception.',
    },
  ];
  const isShown = !isHidden && !isUnderWay && span === '24h' && !steps.every(({ isDone }) => isDone);
  useEffect(() => {
    if (isShown) noteStep('begun');
  }, [isShown]);
  if (!isShown) return null;
  const hide = () => {
    noteStep('hidden');
    setIsHidden(true);
  };
  return (
    <Card>
      <Section
        title="First steps"
        actions={
          <Button variant="subtle" size="compact-xs" onClick={hide}>
            Hide
          </Button>
        }
      >
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
