import type { LinkedIdentity, SignInOptions } from '@csg/shared/contract';
import { Button, Card, Stack, Text } from '@mantine/core';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useApiQuery } from '../../data/hooks.ts';

/** Identities at single sign-on providers that sign in to this account. Hidden if there is no provider. */
export function LinkedIdentities() {
  const options = useApiQuery<SignInOptions>('/sign-in-options');
  const read = useApiQuery<LinkedIdentity[]>('/account/identities');
  if (read.data?.length === 0 && (options.data?.sso ?? 'none') === 'none') return null;
  return (
    <Card>
      <Section
        title="Single sign-on"
        about="A linked identity signs in to this account in the organization of its provider."
        actions={
          <Button component="a" href="/dashboard/sso/start?link=1" size="xs" variant="default">
            Link an identity
          </Button>
        }
      >
        <Loaded read={read} height={60}>
          {(identities) =>
            identities.length === 0 ? (
              <Text size="sm" c="dimmed">
                No identity is linked to this account.
              </Text>
            ) : (
              <Stack gap="xs">
                {identities.map(({ issuer, linked_at }) => (
                  <div key={`${issuer} ${linked_at}`}>
                    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                      {issuer}
                    </Text>
                    <Text size="xs" c="dimmed">
                      linked <TimeAgo at={linked_at} />
                    </Text>
                  </div>
                ))}
              </Stack>
            )
          }
        </Loaded>
      </Section>
    </Card>
  );
}
