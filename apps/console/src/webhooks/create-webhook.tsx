import { Checkbox, Fieldset, Stack, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { change, path } from '../api/client';
import type { CreateWebhookRequest, WebhookEndpointWithSecret } from '../api/shapes';
import { ActionButton } from '../design/dialog';

type EventType = NonNullable<CreateWebhookRequest['types']>[number];

const EVENT_LABELS: Readonly<Record<EventType, string>> = {
  'data_import.import_process.complete-v1': 'Account created',
  'data_import.import_process.error-v1': 'Account with an error',
  'data_import.import_process.dry_run_complete-v1': 'Dry run completed',
  'data_import.import_process.dry_run_error-v1': 'Dry run with an error',
  'data_import.import_process.cancelled-v1': 'Account cancelled',
  'data_import.import_process.post_import.completed-v1': 'Follow-ups completed',
  'data_import.import_process.post_import.error-v1': 'Follow-ups with an error',
  'data_import.import_process.corrected-v1': 'Account corrected',
  'data_import.import_process.correction_error-v1': 'Correction with an error',
  'data_import.import_process.taken_back-v1': 'Account taken back',
  'data_import.submission.finished-v1': 'Submission finished',
  'data_import.submission.aborted-v1': 'Submission aborted',
};

/** How the new secret of an endpoint is shown. */
export const WEBHOOK_SECRET = {
  label: 'Secret of the endpoint',
  of: ({ secret }: WebhookEndpointWithSecret) => secret,
  note: 'The receiver verifies with it that events are from Portage. Send it over a channel that only the two of you read.',
};

/** Creates an endpoint of a supplier, and shows its secret once. */
export function CreateWebhook({ code }: { code: string }) {
  return (
    <ActionButton
      label="Create endpoint"
      icon={Plus}
      title={`Create a webhook endpoint of ${code}`}
      confirmLabel="Create"
      run={async ({ url = '', description, ...chosen }) => {
        const types = Object.keys(chosen) as EventType[];
        const endpoint: CreateWebhookRequest = {
          url,
          ...(description ? { description } : {}),
          ...(types.length === 0 ? {} : { types }),
        };
        return change<WebhookEndpointWithSecret>('POST', `${path('suppliers', code)}/webhooks`, endpoint);
      }}
      renews={[['webhooks', code]]}
      secret={WEBHOOK_SECRET}
    >
      <TextInput
        label="URL"
        description="Starts with https:// and is reachable from the internet."
        type="url"
        required
        maxLength={2_048}
        name="url"
      />
      <TextInput label="Description" maxLength={256} name="description" />
      <Fieldset legend="Events. None chosen: ends of submissions, and errors.">
        <Stack gap="xs">
          {Object.entries(EVENT_LABELS).map(([type, label]) => (
            <Checkbox key={type} name={type} label={label} />
          ))}
        </Stack>
      </Fieldset>
      <p>It gets the events from now on.</p>
    </ActionButton>
  );
}
