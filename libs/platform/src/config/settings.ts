import { accessSettings } from './settings/access';
import { databaseSettings } from './settings/database';
import { documentAndMailSettings } from './settings/documents-and-mail';
import { networkSettings } from './settings/network';
import { operationsSettings } from './settings/operations';
import { queueSettings } from './settings/queues';
import { operatorSettings } from './settings/operators';
import { quotaSettings } from './settings/quotas';
import { requestSettings } from './settings/requests';
import { runtimeSettings } from './settings/runtime';
import { vendorSettings } from './settings/vendors';
import { webhookSettings } from './settings/webhooks';

/**
 * Every environment variable that Portage reads, with its default, its range and its description. A limit that an
 * operator does not need is a constant beside the code that applies it. `.env.example` is generated from this table.
 */
export const settings = {
  ...runtimeSettings,
  ...networkSettings,
  ...databaseSettings,
  ...queueSettings,
  ...accessSettings,
  ...operatorSettings,
  ...operationsSettings,
  ...requestSettings,
  ...vendorSettings,
  ...documentAndMailSettings,
  ...webhookSettings,
  ...quotaSettings,
};

export type Variable = keyof typeof settings;

/** The same variables under their headings, in the order of `.env.example`. */
export const SETTING_GROUPS: readonly {
  readonly heading: string;
  readonly variables: readonly Variable[];
}[] = [
  { heading: 'Runtime', variables: namesOf(runtimeSettings) },
  { heading: 'Addresses, ports and connection timeouts', variables: namesOf(networkSettings) },
  { heading: 'Database', variables: namesOf(databaseSettings) },
  { heading: 'Queues, workers and shutdown', variables: namesOf(queueSettings) },
  { heading: 'Access tokens and rate limits', variables: namesOf(accessSettings) },
  { heading: 'Operators of the console and of Bull Board', variables: namesOf(operatorSettings) },
  { heading: 'Metrics, logs and traces', variables: namesOf(operationsSettings) },
  { heading: 'Requests and responses', variables: namesOf(requestSettings) },
  { heading: 'Payment vendors', variables: namesOf(vendorSettings) },
  { heading: 'Documents and e-mails', variables: namesOf(documentAndMailSettings) },
  { heading: 'Webhooks', variables: namesOf(webhookSettings) },
  { heading: 'Quotas of stored data', variables: namesOf(quotaSettings) },
];

function namesOf(group: Partial<typeof settings>): readonly Variable[] {
  return Object.keys(group) as Variable[];
}
