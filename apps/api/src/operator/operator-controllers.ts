import { AccountRulesController } from './account-rules/account-rules.controller';
import { OperatorAccountsController } from './accounts/accounts.controller';
import { AuditController } from './audit/audit.controller';
import { OperatorDocumentsController } from './documents/documents.controller';
import { OperatorImportProcessesController } from './import-processes/import-processes.controller';
import { KeysController } from './keys/keys.controller';
import { LiveController } from './live/live.controller';
import { OperatorDocumentController } from './openapi/openapi.controller';
import { OverviewController } from './overview/overview.controller';
import { OperatorQueuesController } from './queues/queues.controller';
import { OperatorSubmissionsController } from './submissions/submissions.controller';
import { OperatorSuppliersController } from './suppliers/suppliers.controller';
import { VendorsController } from './vendors/vendors.controller';
import { OperatorWebhooksController } from './webhooks/webhooks.controller';

/** The controllers under /operator/v1 besides those of sessions and operators. */
export const OPERATOR_CONTROLLERS = [
  OverviewController,
  OperatorSuppliersController,
  OperatorImportProcessesController,
  OperatorSubmissionsController,
  OperatorAccountsController,
  OperatorDocumentsController,
  OperatorQueuesController,
  VendorsController,
  OperatorWebhooksController,
  AuditController,
  KeysController,
  AccountRulesController,
  LiveController,
  OperatorDocumentController,
];
