import type { ThreatType } from '@csg/shared/contract';
import { NumberInput, Select, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormModal } from '../../components/form-modal.tsx';
import type { ApiError } from '../../data/api.ts';
import { threatLabel } from '../../data/labels.ts';

export interface Decision {
  readonly decision: 'approve' | 'deny';
  readonly reason?: string;
  readonly minutes?: number;
  readonly threat?: string;
}

/** Approves or denies a request; the requester sees the reason. */
export function DecideModal(props: {
  readonly decision: Decision['decision'];
  readonly title: string;
  /** Effect of the approval. */
  readonly effect: ReactNode;
  /** The requested duration, which can be shortened. */
  readonly minutes?: number;
  /** Threat types that the approval can be narrowed to. */
  readonly threats?: readonly ThreatType[] | undefined;
  readonly pending: boolean;
  readonly error: ApiError | null;
  readonly onDecide: (decision: Decision) => void;
  readonly onClose: () => void;
}) {
  const { decision, minutes: requestedMinutes } = props;
  const [reason, setReason] = useState('');
  const [minutes, setMinutes] = useState<number | string>(requestedMinutes ?? 60);
  const [threat, setThreat] = useState<string | null>(null);
  const isDenial = decision === 'deny';
  return (
    <FormModal
      opened
      onClose={props.onClose}
      title={props.title}
      submit={isDenial ? 'Deny' : 'Approve'}
      color={isDenial ? 'red.9' : 'teal.9'}
      pending={props.pending}
      error={props.error}
      onSubmit={(event) => {
        event.preventDefault();
        props.onDecide({
          decision,
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
          ...(isDenial || requestedMinutes === undefined ? {} : { minutes: Number(minutes) }),
          ...(isDenial || threat === null ? {} : { threat }),
        });
      }}
    >
      <Stack gap="sm">
        <Text size="sm" component="div">
          {isDenial ? 'Nothing changes. The requester is notified with your reason.' : props.effect}
        </Text>
        {!isDenial && requestedMinutes !== undefined && (
          <NumberInput
            label="Duration in minutes"
            description={`Starts now. At most ${requestedMinutes}, as requested.`}
            min={1}
            max={requestedMinutes}
            allowDecimal={false}
            value={minutes}
            onChange={setMinutes}
          />
        )}
        {!isDenial && props.threats !== undefined && props.threats.length > 0 && (
          <Select
            label="Only this finding"
            description="Narrows what was requested. Other findings are then still blocked."
            placeholder="As requested"
            clearable
            value={threat}
            onChange={setThreat}
            data={props.threats.map((value) => ({ value, label: threatLabel(value) }))}
          />
        )}
        <Textarea
          label={isDenial ? 'Reason' : 'Note'}
          description="Shown to the requester."
          maxLength={500}
          autosize
          data-autofocus
          value={reason}
          onChange={(change) => setReason(change.currentTarget.value)}
        />
      </Stack>
    </FormModal>
  );
}
