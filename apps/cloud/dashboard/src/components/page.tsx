import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** A page with its title, a one-sentence description and its actions. */
export function Page(props: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${props.title} · Content Security Gateway`;
  }, [props.title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="md">
        <Box maw="44rem" style={{ flex: '1 1 18rem' }}>
          <Title order={1}>{props.title}</Title>
          {props.about !== undefined && (
            <Text c="dimmed" size="sm" mt={4}>
              {props.about}
            </Text>
          )}
        </Box>
        {props.actions !== undefined && <Group gap="sm">{props.actions}</Group>}
      </Group>
      {props.children}
    </Stack>
  );
}

/** A titled section of a page. */
export function Section(props: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Stack gap="sm" component="section" aria-label={props.title}>
      <Group justify="space-between" align="flex-end">
        <Box maw="44rem" style={{ flex: '1 1 18rem' }}>
          <Title order={2}>{props.title}</Title>
          {props.about !== undefined && (
            <Text c="dimmed" size="sm">
              {props.about}
            </Text>
          )}
        </Box>
        {props.actions}
      </Group>
      {props.children}
    </Stack>
  );
}
