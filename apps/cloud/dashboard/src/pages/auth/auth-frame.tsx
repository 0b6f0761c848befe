import { Anchor, Card, Center, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** The frame of the pages for users who are not signed in. */
export function AuthFrame(props: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
  readonly below?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${props.title} · Content Security Gateway`;
  }, [props.title]);
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={420} gap="lg">
        <Group gap={10} justify="center">
          <img src="/dashboard/icon.svg" width={30} height={30} alt="" />
          <Text fw={650}>Content Security Gateway</Text>
        </Group>
        <Card padding="xl">
          <Stack>
            <div>
              <Title order={1} fz="1.3rem">
                {props.title}
              </Title>
              {props.about !== undefined && (
                <Text size="sm" c="dimmed" mt={4} component="div">
                  {props.about}
                </Text>
              )}
            </div>
            {props.children}
          </Stack>
        </Card>
        {props.below !== undefined && (
          <Text size="sm" ta="center" component="div">
            {props.below}
          </Text>
        )}
        <Text size="xs" c="dimmed" ta="center">
          <Anchor href="/docs" size="xs">
            API reference
          </Anchor>
        </Text>
      </Stack>
    </Center>
  );
}
