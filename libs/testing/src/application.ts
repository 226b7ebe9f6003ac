// The use cases inside the test's process, on a database and a queue of their own.
export { findCountDifferences } from './installation/check-counts';
export { addSuppliers } from './application/add-suppliers';
export { countRowsRead } from './application/count-rows-read';
export { CountingExecutor, useCountingExecutor } from './application/counting-executor';
export { ImportedTestAccount, payment, processRequests, supplyCharge } from './application/imported-account';
export { importAccounts, importPending, processesOf } from './application/import-accounts';
export { insertLines } from './application/insert-lines';
export { insertAccounts, insertProcesses } from './insert-processes';
export { MARKER, mark, markedAccount } from './application/marked-account';
export { newAccountWith } from './application/new-account';
export { eraseAccount } from './application/erase-account';
export { refusedWith } from './application/refused-with';
export { SessionDatabase } from './application/session-database';
export {
  accountFor,
  StoredProcesses,
  type StoredProcess,
  type StoredRow,
  withoutEventProtection,
} from './application/stored-processes';
export { bodyOf, openSubmission, uploadAccounts } from './application/upload-lines';
export { scheduleAccount } from './application/schedule-account';
export { TestSubmission } from './application/submission';
export { tablesWith } from './application/tables-with';
export {
  startApplication,
  type TestApplication,
  useApplication,
  useApplicationPerCase,
  WITHOUT_CACHES,
} from './application/test-application';
