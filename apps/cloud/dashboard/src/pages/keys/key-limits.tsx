import type { ChangeKeyLimits, KeyRecord } from '@csg/shared/contract';
import { NumberInput, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormModal } from '../../components/form-modal.tsx';
import { callApi } from '../../data/api.ts';
import { useApiMutation } from '../../data/hooks.ts';

/** The models and tokens that a key may use, changed without a new key. */
export function KeyLimits(props: { readonly record: KeyRecord; readonly onClose: () => void }) {
  const { record, onClose } = props;
  const form = useForm({
    initialValues: {
      allowed_models: [...record.allowed_models],
      daily_token_limit: (record.daily_token_limit ?? '') as number | string,
    },
  });
  const save = useApiMutation(
    (body: ChangeKeyLimits) => callApi<KeyRecord>('PATCH', `/keys/${record.id}`, { body }),
    { refresh: ['/keys'], quiet: true, successMessage: 'Limits saved.' },
  );
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Limits of "${record.name}"`}
      submit="Save limits"
      pending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit(({ allowed_models, daily_token_limit }) =>
        save.mutate(
          {
            allowed_models,
            daily_token_limit: daily_token_limit === '' ? null : Number(daily_token_limit),
          },
          { onSuccess: onClose },
        ),
      )}
    >
      <TagsInput
        label="Allowed models"
        description="Empty: all models."
        placeholder="Add a model and press Enter"
        data-autofocus
        {...form.getInputProps('allowed_models')}
      />
      <NumberInput
        label="Tokens per day"
        description="As providers count them, in UTC. Empty: no limit."
        min={1}
        allowDecimal={false}
        thousandSeparator=","
        {...form.getInputProps('daily_token_limit')}
      />
    </FormModal>
  );
}
