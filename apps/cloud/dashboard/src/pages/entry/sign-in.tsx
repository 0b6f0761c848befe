import { Center, Text } from '@mantine/core';

export function SignIn() {
  return (
    <Center mih="100vh">
      <Text>Sign in</Text>
    </Center>
  );
}
