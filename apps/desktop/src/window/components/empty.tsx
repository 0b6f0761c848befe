import { Card, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** An empty state. */
export function Empty(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card ta="center" py="xl">
      <Text fw={600}>{props.title}</Text>
      <Text size="sm" c="dimmed" maw="30rem" mx="auto">
        {props.children}
      </Text>
    </Card>
  );
}
