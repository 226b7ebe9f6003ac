import type { Type } from '@nestjs/common';
import { AccountRulesController } from './account-rules/account-rules.controller';
import { OperatorAccountsController } from './accounts/accounts.controller';
import { AuditController } from './audit/audit.controller';
import { OperatorDocumentsController } from './documents/documents.controller';
import { OperatorImportProcessesController } from './import-processes/import-processes.controller';
import { KeysController } from './keys/keys.controller';
import { OverviewController } from './overview/overview.controller';
import { OperatorPaymentInstructionsController } from './payment-instructions/payment-instructions.controller';
import { OperatorQueuesController } from './queues/queues.controller';
import { OpenIdConnectController } from './session/openid-connect.controller';
import { OperatorsController } from './session/operators.controller';
import { SessionController } from './session/session.controller';
import { OperatorSubmissionsController } from './submissions/submissions.controller';
import { OperatorSuppliersController } from './suppliers/suppliers.controller';
import { OperatorWebhooksController } from './webhooks/webhooks.controller';

/** The controllers under /operator/v1. */
export const OPERATOR_CONTROLLERS: Type[] = [
  AccountRulesController,
  AuditController,
  KeysController,
  OpenIdConnectController,
  OperatorAccountsController,
  OperatorDocumentsController,
  OperatorImportProcessesController,
  OperatorPaymentInstructionsController,
  OperatorQueuesController,
  OperatorSubmissionsController,
  OperatorSuppliersController,
  OperatorWebhooksController,
  OperatorsController,
  OverviewController,
  SessionController,
];
