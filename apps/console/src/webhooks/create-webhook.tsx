import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { change, path } from '../api/client';
import type { Schemas } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import { WebhookSecret } from './webhook-secret';

type EventType = Schemas['WebhookEndpoint']['types'][number];

const EVENT_LABELS: Readonly<Record<EventType, string>> = {
  'data_import.import_process.complete-v1': 'Account created',
  'data_import.import_process.error-v1': 'Account with an error',
  'data_import.import_process.dry_run_complete-v1': 'Dry run completed',
  'data_import.import_process.dry_run_error-v1': 'Dry run with an error',
  'data_import.import_process.cancelled-v1': 'Account cancelled',
  'data_import.import_process.post_import.completed-v1': 'Follow-ups completed',
  'data_import.import_process.post_import.error-v1': 'Follow-ups with an error',
  'data_import.submission.finished-v1': 'Submission finished',
  'data_import.submission.aborted-v1': 'Submission aborted',
};
const EVENT_TYPES = Object.keys(EVENT_LABELS) as EventType[];

/** Creates an endpoint of a supplier, and shows its secret once. */
export function CreateWebhook({ code }: { code: string }) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [types, setTypes] = useState<readonly EventType[]>([]);
  const [created, setCreated] = useState<Schemas['WebhookEndpointWithSecret']>();
  const client = useQueryClient();
  const endpoint: Schemas['CreateWebhookRequest'] = {
    url,
    ...(description === '' ? {} : { description }),
    ...(types.length === 0 ? {} : { types: [...types] }),
  };
  return (
    <>
      <ActionButton
        label="Create endpoint"
        icon={Plus}
        title={`Create a webhook endpoint of ${code}`}
        confirmLabel="Create"
        run={async () =>
          change<Schemas['WebhookEndpointWithSecret']>(
            'POST',
            `${path('suppliers', code)}/webhooks`,
            endpoint,
          )
        }
        onDone={(answer) => {
          setUrl('');
          setDescription('');
          setTypes([]);
          setCreated(answer);
          void client.invalidateQueries({ queryKey: ['webhooks', code] });
          return undefined;
        }}
      >
        <TextInput
          label="URL"
          description="Starts with https:// and is reachable from the internet."
          type="url"
          required
          withAsterisk={false}
          maxLength={2_048}
          autoComplete="off"
          value={url}
          onChange={({ currentTarget }) => {
            setUrl(currentTarget.value);
          }}
        />
        <TextInput
          label="Description"
          maxLength={256}
          autoComplete="off"
          value={description}
          onChange={({ currentTarget }) => {
            setDescription(currentTarget.value);
          }}
        />
        <fieldset className="checks">
          <legend>Events. None chosen: ends of submissions, and errors.</legend>
          {EVENT_TYPES.map((type) => (
            <Checkbox
              key={type}
              label={EVENT_LABELS[type]}
              checked={types.includes(type)}
              onChange={({ currentTarget: { checked } }) => {
                setTypes((chosen) =>
                  EVENT_TYPES.filter((one) => (one === type ? checked : chosen.includes(one))),
                );
              }}
            />
          ))}
        </fieldset>
        <p>It gets the events from now on.</p>
      </ActionButton>
      <WebhookSecret
        endpoint={created}
        onClose={() => {
          setCreated(undefined);
        }}
      />
    </>
  );
}
