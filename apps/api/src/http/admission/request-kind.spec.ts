import 'reflect-metadata';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { AccountsController } from '../../accounts/accounts.controller';
import { EventsController } from '../../events/events.controller';
import { HistoricalStatementsController } from '../../historical-statements/historical-statements.controller';
import { AccountTransferStatusController } from '../../import-processes/account-transfer-status.controller';
import { ImportProcessListsController } from '../../import-processes/import-process-lists.controller';
import { NotesController } from '../../notes/notes.controller';
import { PaymentInstructionsController } from '../../payment-instructions/payment-instructions.controller';
import { StagingController } from '../../staging/staging.controller';
import { SubmissionsController } from '../../submissions/submissions.controller';
import { TransactionsController } from '../../transactions/transactions.controller';
import type { PortageRouteConfig } from '../route-config';

/** The kind of a request that a handler takes. */
function kindOf(handler: unknown): string {
  const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler as object) as
    | PortageRouteConfig
    | undefined;
  return config?.requestKind ?? 'others';
}

describe('the kind of a request', () => {
  it.each([
    ['posts an account', AccountsController.prototype.schedule, 'accounts'],
    ['validates an account', AccountsController.prototype.validate, 'accounts'],
    ['cancels an import', AccountsController.prototype.cancel, 'accounts'],
    ['reads a status', AccountsController.prototype.read, 'others'],
    ['stages an account', StagingController.prototype.stage, 'accounts'],
    ['validates a staged account', StagingController.prototype.validate, 'accounts'],
    ['processes a staged account', StagingController.prototype.process, 'accounts'],
    ['adds transactions', TransactionsController.prototype.create, 'transactions'],
    ['creates a payment instruction', PaymentInstructionsController.prototype.create, 'payment-instructions'],
    ['adds notes', NotesController.prototype.create, 'notes-and-statements'],
    ['adds statements', HistoricalStatementsController.prototype.create, 'notes-and-statements'],
    ['opens a submission', SubmissionsController.prototype.open, 'others'],
    ['uploads accounts', SubmissionsController.prototype.upload, 'uploads'],
    ['reads events', EventsController.prototype.read, 'events'],
    ['lists all import processes', ImportProcessListsController.prototype.all, 'lists'],
    ['lists pending import processes', ImportProcessListsController.prototype.pending, 'lists'],
    ['lists imported accounts', ImportProcessListsController.prototype.imported, 'lists'],
    ['reads a v1 status', AccountTransferStatusController.prototype.read, 'others'],
  ])('that %s has its limit', (_what, handler, kind) => {
    expect(kindOf(handler)).toBe(kind);
  });
});
