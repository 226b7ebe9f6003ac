import { ImportSupplierEntity } from '@portage/tenants';
import { Column, Entity, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { AccountEntity } from './account.entity';

/** The name that another system has for an account; unique for each supplier. */
@Entity('account_reference')
@Unique('account_reference_value', ['supplierId', 'namespace', 'value'])
export class AccountReferenceEntity {
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  @PrimaryColumn({ type: 'integer' })
  position: number;

  @Column({ type: 'integer' })
  supplierId: number;

  @ManyToOne(() => ImportSupplierEntity)
  supplier?: ImportSupplierEntity;

  @Column({ type: 'text' })
  namespace: string;

  @Column({ type: 'text' })
  value: string;
}
