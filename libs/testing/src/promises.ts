// Clients of a supplier with a history, and the checker of what the service has promised them. Loading the states of an
// import takes a second, so this is apart from @portage/testing/installation.
export { check, type Verdict } from './installation/check';
export { findCountDifferences } from './installation/check-counts';
export { accountDescendants, findForeignKeys } from './installation/check-tables';
export { type CalledApi, Clients } from './installation/clients';
export type { Call } from './installation/history';
export { LoadBalancer } from './installation/load-balancer';
export { countProcesses, lastProcessedAt, untilProcessed } from './installation/stored-accounts';
export { type Measures, Submission } from './installation/submission';
export { WebhookSubscription } from './installation/webhook-subscription';
