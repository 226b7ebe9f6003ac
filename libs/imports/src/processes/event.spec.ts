import { publicEventName } from './event';

it.each([
  ['CREATED', 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED'],
  ['PROCESSED', 'EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED'],
  ['ERRORED', 'EVENT_ACCOUNT_IMPORT_PROCESS_ERRORED'],
] as const)('the latest event %s has the public name %s (contract, "Events of an import")', (event, name) => {
  expect(publicEventName(event)).toBe(name);
});
