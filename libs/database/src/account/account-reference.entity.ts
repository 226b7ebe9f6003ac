import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What another system calls an account; unique for each supplier. */
@Entity('account_reference')
export class AccountReferenceEntity {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @PrimaryColumn({ type: 'int' })
  position: number;

  @Column({ name: 'supplier_id', type: 'int' })
  supplierId: number;

  @Column({ type: 'text' })
  namespace: string;

  @Column({ type: 'text' })
  value: string;
}
