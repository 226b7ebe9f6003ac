import { TypeOrmModule } from '@nestjs/typeorm';
import type { Settings } from '../settings';
import {
  Account,
  ChargedPeriod,
  Customer,
  Debt,
  HistoricalStatement,
  Note,
  PaymentInstruction,
  Reference,
} from './entities/account.entity';
import { ImportProcess, ImportProcessEvent, ImportProcessPayload } from './entities/import-process.entity';
import { Ledger, StatementPeriod, Transaction } from './entities/ledger.entity';
import { Agreement, SupplyPoint } from './entities/supply-point.entity';

/** TypeORM as in its guide, on the tables of Portage's migrations. */
export function databaseModule({ databaseUrl }: Settings) {
  return TypeOrmModule.forRoot({
    type: 'postgres',
    url: databaseUrl,
    entities: [
      ...[ImportProcess, ImportProcessPayload, ImportProcessEvent],
      ...[Account, Customer, Reference, Debt, Note, HistoricalStatement, PaymentInstruction],
      ...[SupplyPoint, Agreement, Ledger, StatementPeriod, Transaction, ChargedPeriod],
    ],
  });
}
