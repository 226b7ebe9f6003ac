import { networks } from '../networks';
import { boolean, optional, secret } from '../validators';

export const webhookSettings = {
  WEBHOOK_SECRETS_KEY: secret(32)({
    ...optional,
    desc: 'Secret from which the key is derived that encrypts the secrets of webhook endpoints, at least 32 characters, the same for API, worker and command line. Required for webhooks in production: without it no endpoint can be created and none is served. Default: generated under PORTAGE_DIR.',
  }),
  WEBHOOK_ALLOW_HTTP: boolean({
    default: false,
    desc: 'Allows webhook endpoints with http:// URLs, and port 80. Their events are not encrypted.',
  }),
  WEBHOOK_ALLOWED_NETWORKS: networks({
    ...optional,
    desc: "Networks that webhooks may reach although they are not public, separated by commas, such as 10.20.0.0/16. Default: none. Every supplier can send requests to these networks, so list no network of the operator's own services.",
  }),
};
