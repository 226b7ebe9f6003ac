import { TimestampColumn, TimestampNowColumn } from '@portage/platform';
import { Check, Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** The e-mail that tells a customer of the migration: one for each account, written with it (an outbox). */
@Entity('welcome_email')
@Check('welcome_email_state_check', `state IN ('PENDING', 'SENT', 'REFUSED', 'KEPT')`)
export class WelcomeEmailEntity {
  @PrimaryColumn({ type: 'bigint' })
  accountId: string;

  @ManyToOne(() => AccountEntity)
  account?: AccountEntity;

  @Column({ type: 'text' })
  recipient: string;

  @Column({ type: 'text' })
  subject: string;

  @Column({ type: 'text' })
  body: string;

  /** KEPT: there is no mail server, so the e-mail stays in this table. */
  @Column({ type: 'text', default: 'PENDING' })
  state: 'PENDING' | 'SENT' | 'REFUSED' | 'KEPT';

  @Column({ type: 'text', nullable: true })
  errorCode: string | null;

  @Index('welcome_email_pending', { where: `state = 'PENDING'` })
  @TimestampNowColumn()
  enqueuedAt: string;

  @TimestampColumn({ nullable: true })
  sentAt: string | null;

  @TimestampNowColumn()
  createdAt: string;
}
