import type { WebhookEndpointWithSecret } from '../api/shapes';
import { SecretDialog } from '../design/dialog';

/** The new secret of an endpoint, which is shown once. */
export function WebhookSecret(props: {
  endpoint: WebhookEndpointWithSecret | undefined;
  onClose: () => void;
}) {
  return (
    <SecretDialog
      title={`The secret of endpoint ${props.endpoint?.id ?? ''}`}
      label="Secret"
      secret={props.endpoint?.secret}
      onClose={props.onClose}
    >
      <p>
        The receiver verifies with it that events are from Portage. Send it over a channel that only the two
        of you read.
      </p>
    </SecretDialog>
  );
}
