import { ImportSupplierEntity } from '@portage/tenants';
import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { AccountEntity } from './account.entity';

/** The name that another system has for an account; unique for each supplier. */
@Entity('account_reference')
@Unique('account_reference_value', ['supplierId', 'namespace', 'value'])
export class AccountReferenceEntity {
  @ForeignKey(() => AccountEntity)
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ type: 'integer' })
  position: number;

  @ForeignKey(() => ImportSupplierEntity)
  @Column({ type: 'integer' })
  supplierId: number;

  @Column({ type: 'text' })
  namespace: string;

  @Column({ type: 'text' })
  value: string;
}
