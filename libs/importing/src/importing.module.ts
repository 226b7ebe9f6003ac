import { Module } from '@nestjs/common';
import { systemClock } from '@portage/domain';
import { AccessTokens } from './access/access-tokens';
import { Authenticate } from './access/authenticate';
import { ObtainToken } from './access/obtain-token';
import { Organisations } from './access/organisations';
import { AccountFollowUps } from './account/account-follow-ups';
import { AccountValidation } from './account/account-validation';
import { ImportAccount } from './account/import-account';
import { InspectAccount } from './account/inspect-account';
import { ScheduleAccount } from './account/schedule-account';
import { AccountRequests } from './after-import/account-requests';
import { ImportedAccounts } from './after-import/imported-accounts';
import { KeyedRequests } from './after-import/keyed-requests';
import { Outcomes } from './after-import/outcomes';
import { CLOCK } from './clock-token';
import { ImportStatus } from './import-process/import-status';
import { InspectImportProcesses } from './import-process/inspect-import-processes';
import { ListImportProcesses } from './import-process/list-import-processes';
import { SteerImportProcesses } from './import-process/steer-import-processes';
import { SweepImportProcesses } from './import-process/sweep-import-processes';
import { ForgetFinishedRequests } from './maintenance/forget-finished-requests';
import { RollOverStatementPeriods } from './maintenance/roll-over-statement-periods';
import { SweepFollowUps } from './maintenance/sweep-follow-ups';
import { OperatorRules } from './operator-rules/operator-rules';
import { RuleSettingsDirectory } from './operator-rules/rule-settings-directory';
import { ImportSupplierDirectory } from './suppliers/import-supplier-directory';
import { ImportSuppliers } from './suppliers/import-suppliers';

const useCases = [
  AccessTokens,
  AccountFollowUps,
  AccountRequests,
  AccountValidation,
  Authenticate,
  ForgetFinishedRequests,
  ImportAccount,
  ImportStatus,
  ImportedAccounts,
  ImportSupplierDirectory,
  ImportSuppliers,
  InspectAccount,
  InspectImportProcesses,
  KeyedRequests,
  ListImportProcesses,
  ObtainToken,
  OperatorRules,
  Organisations,
  Outcomes,
  RollOverStatementPeriods,
  RuleSettingsDirectory,
  ScheduleAccount,
  SteerImportProcesses,
  SweepFollowUps,
  SweepImportProcesses,
];

/** The use cases: the middle that API, worker and command line are built on. */
@Module({
  providers: [...useCases, { provide: CLOCK, useValue: systemClock }],
  exports: [...useCases, CLOCK],
})
export class ImportingModule {}
