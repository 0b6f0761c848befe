import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

/** Focuses the heading of a new page, so that screen readers announce it. */
export function Page(props: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${props.title} · Content Security Agent`;
    heading.current?.focus();
  }, [props.title]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Title order={1} ref={heading} tabIndex={-1}>
            {props.title}
          </Title>
          {props.about !== undefined && (
            <Text c="dimmed" size="sm" mt={2}>
              {props.about}
            </Text>
          )}
        </div>
        {props.action}
      </Group>
      {props.children}
    </Stack>
  );
}
