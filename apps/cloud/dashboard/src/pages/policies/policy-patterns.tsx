import type { TryPolicy } from '@csg/shared/contract';
import {
  ActionIcon,
  Alert,
  Button,
  Card,
  Group,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Section } from '../../components/page.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';
import type { PolicyFormValues } from './policy-form-values.ts';

interface TryResult {
  readonly results: {
    readonly sample: number;
    readonly matches: { readonly start: number; readonly end: number; readonly reason: string }[];
  }[];
}

/** Patterns and domains of one's own, tried on samples before they count. */
export function PolicyPatterns(props: { readonly form: UseFormReturnType<PolicyFormValues> }) {
  const { form } = props;
  const { patterns } = form.values;
  return (
    <Card>
      <Section
        title="Patterns and domains of your own"
        about="What they hit counts as a custom policy threat. RE2 syntax; (?i) at the start for any case."
      >
        <Stack gap="sm">
          {patterns.map((_pattern, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: edited in place
            <Group key={index} align="flex-start" wrap="nowrap" gap="sm">
              <TextInput
                aria-label="Name of the pattern"
                placeholder="Claim number"
                w={170}
                maxLength={64}
                {...form.getInputProps(`patterns.${index}.name`)}
              />
              <TextInput
                aria-label="Pattern"
                placeholder="\bHC-\d{8}\b"
                maxLength={500}
                style={{ flex: 1 }}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                {...form.getInputProps(`patterns.${index}.pattern`)}
              />
              <ActionIcon
                mt={6}
                variant="subtle"
                color="gray"
                aria-label="Remove the pattern"
                onClick={() => form.removeListItem('patterns', index)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          <Button
            size="xs"
            variant="default"
            w="fit-content"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('patterns', { name: '', pattern: '' })}
          >
            Add a pattern
          </Button>
          <TagsInput
            label="Domains that texts may not name"
            placeholder="Add one, then Enter"
            acceptValueOnBlur
            {...form.getInputProps('blocked_domains')}
          />
          <TagsInput
            label="Domains that links may lead to, and no others"
            placeholder="Any"
            acceptValueOnBlur
            {...form.getInputProps('allowed_domains')}
          />
          <TryPatterns values={form.values} />
        </Stack>
      </Section>
    </Card>
  );
}

function TryPatterns(props: { readonly values: PolicyFormValues }) {
  const { patterns, blocked_domains, allowed_domains } = props.values;
  const [sample, setSample] = useState('');
  const attempt = useApiMutation((body: TryPolicy) => callApi<TryResult>('POST', '/policies/try', { body }), {
    quiet: true,
  });
  const hasRules = patterns.length + blocked_domains.length + allowed_domains.length > 0;
  if (!hasRules) return null;
  const matches = attempt.data?.results[0]?.matches;
  return (
    <Stack gap="xs">
      <Textarea
        label="Try them on a text"
        autosize
        minRows={2}
        maxLength={10_000}
        value={sample}
        onChange={(change) => setSample(change.currentTarget.value)}
      />
      <Button
        size="xs"
        variant="light"
        w="fit-content"
        disabled={sample === ''}
        loading={attempt.isPending}
        onClick={() => attempt.mutate({ patterns, blocked_domains, allowed_domains, samples: [sample] })}
      >
        Try
      </Button>
      {attempt.error && <ErrorAlert error={attempt.error} />}
      {matches !== undefined && (
        <Alert color={matches.length === 0 ? 'gray' : 'yellow'} role="status">
          {matches.length === 0 ? (
            <Text size="sm">Nothing of these is in the text.</Text>
          ) : (
            matches.map(({ start, end, reason }) => (
              <Text key={`${start} ${end} ${reason}`} size="sm">
                “{sample.slice(start, end)}”: {reason}
              </Text>
            ))
          )}
        </Alert>
      )}
    </Stack>
  );
}
