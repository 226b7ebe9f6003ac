import { networks } from '../networks';
import { boolean, integer, optional, secret } from '../validators';

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
  WEBHOOK_EVENTS_PER_SECOND: integer({
    min: 1,
    max: 10_000,
    default: 100,
    desc: 'Events that are delivered to one webhook endpoint in a second. The endpoints of an organisation with the same host get twice as many together, all of its endpoints four times as many.',
  }),
  WEBHOOK_REPLAYS_PER_HOUR: integer({
    min: 1,
    max: 100_000,
    default: 20,
    desc: 'Replays of webhook events that one organisation may request in an hour, over all of its endpoints. More get 429. Replays by operators are not limited.',
  }),
  WEBHOOK_MAX_REPLAY_EVENTS: integer({
    min: 1,
    max: 10_000_000,
    default: 1_000_000,
    desc: 'Events of the feed, of any type, that one replay may go back. Replays by operators are not limited.',
  }),
};
