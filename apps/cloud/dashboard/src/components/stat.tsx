import { Card, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A number with its label and period. */
export function Stat(props: {
  readonly label: string;
  readonly value: ReactNode | undefined;
  readonly about?: ReactNode;
  readonly color?: string;
}) {
  return (
    <Card padding="md">
      <Text size="xs" c="dimmed" fw={550}>
        {props.label}
      </Text>
      {props.value === undefined ? (
        <Skeleton height={30} width="60%" my={4} />
      ) : (
        <Text
          fz="1.6rem"
          fw={650}
          lh={1.3}
          c={props.color}
          style={{ fontVariantNumeric: 'tabular-nums' }}
          component="div"
        >
          {props.value}
        </Text>
      )}
      <Text size="xs" c="dimmed" mih="1.2em" component="div">
        {props.about}
      </Text>
    </Card>
  );
}
