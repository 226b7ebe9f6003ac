import { ActOnProcesses } from './act-on-processes';
import { BrowseProcesses } from './browse-processes';
import { FindProcesses } from './find-processes';
import { OperateQueues } from './operate-queues';
import { ReportWorker } from './report-worker';
import { TakeBackProcess } from './take-back-process';
import { ViewDocuments } from './view-documents';
import { ViewHealth } from './view-health';
import { ViewOverview } from './view-overview';
import { ViewPaymentInstructions } from './view-payment-instructions';
import { ViewProcess } from './view-process';
import { ViewRefusedLines } from './view-refused-lines';
import { ViewSubmissions } from './view-submissions';
import { ViewSuppliers } from './view-suppliers';
import { ViewWorkers } from './view-workers';

export * from './act-on-processes';
export * from './browse-processes';
export * from './find-processes';
export * from './operate-queues';
export * from './report-worker';
export * from './take-back-process';
export * from './view-documents';
export * from './view-health';
export * from './view-overview';
export * from './view-payment-instructions';
export * from './view-process';
export * from './view-refused-lines';
export * from './view-submissions';
export * from './view-suppliers';
export * from './view-workers';

/** The use cases of the operators' pages. {@link OperatorsModule} provides and exports each of them. */
export const consoleUseCases = [
  ActOnProcesses,
  BrowseProcesses,
  FindProcesses,
  OperateQueues,
  ReportWorker,
  TakeBackProcess,
  ViewDocuments,
  ViewHealth,
  ViewOverview,
  ViewPaymentInstructions,
  ViewProcess,
  ViewRefusedLines,
  ViewSubmissions,
  ViewSuppliers,
  ViewWorkers,
];
