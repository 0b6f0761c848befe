import type { ModelPrice, ModelPrices as Prices } from '@csg/shared/contract';
import { ActionIcon, Button, Card, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Section } from '../../components/page.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation, useApiQuery } from '../../data/hooks.ts';
import { isAtLeast, useSession } from '../../data/session.ts';

/** Prices that the organization pays for models, from which costs are computed. */
export function ModelPrices() {
  const read = useApiQuery<Prices>('/usage/prices');
  return (
    <Card>
      <Section
        title="Model prices"
        about="In US dollars per million tokens. The first row that matches a model applies; * matches anything."
      >
        <Loaded read={read} height={80}>
          {({ prices }) => <PriceTable key={JSON.stringify(prices)} saved={prices} />}
        </Loaded>
      </Section>
    </Card>
  );
}

function PriceTable(props: { readonly saved: readonly ModelPrice[] }) {
  const isReader = !isAtLeast(useSession(), 'admin');
  const [prices, setPrices] = useState<readonly ModelPrice[]>(props.saved);
  const save = useApiMutation((body: Prices) => callApi('PUT', '/usage/prices', { body }), {
    refresh: ['/usage'],
    quiet: true,
    successMessage: 'Prices saved.',
  });
  const change = (index: number, price: Partial<ModelPrice>) =>
    setPrices(prices.map((one, i) => (i === index ? { ...one, ...price } : one)));
  const dollars = (index: number, name: 'input_usd' | 'output_usd', label: string) => (
    <NumberInput
      size="xs"
      w={120}
      label={label}
      prefix="$"
      min={0}
      decimalScale={4}
      disabled={isReader}
      value={prices[index]![name]}
      onChange={(value) => change(index, { [name]: Number(value) || 0 })}
    />
  );
  return (
    <Stack gap="sm">
      {prices.length === 0 && (
        <Text size="sm" c="dimmed">
          No prices yet.
        </Text>
      )}
      {prices.map((price, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids
        <Group key={index} align="flex-end" gap="xs">
          <TextInput
            size="xs"
            label="Model"
            placeholder="gpt-4o*"
            maxLength={128}
            disabled={isReader}
            value={price.model}
            onChange={({ currentTarget }) => change(index, { model: currentTarget.value })}
          />
          {dollars(index, 'input_usd', 'Input')}
          {dollars(index, 'output_usd', 'Output')}
          {!isReader && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove price ${index + 1}`}
              onClick={() => setPrices(prices.filter((_price, i) => i !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {save.error && <ErrorAlert error={save.error} />}
      {!isReader && (
        <Group justify="space-between">
          <Button
            variant="default"
            size="xs"
            onClick={() => setPrices([...prices, { model: '', input_usd: 0, output_usd: 0 }])}
          >
            Add price
          </Button>
          <Button
            size="xs"
            disabled={prices === props.saved || prices.some(({ model }) => model.trim() === '')}
            loading={save.isPending}
            onClick={() => save.mutate({ prices: [...prices] })}
          >
            Save prices
          </Button>
        </Group>
      )}
    </Stack>
  );
}
