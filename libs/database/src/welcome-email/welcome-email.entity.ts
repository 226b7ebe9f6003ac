import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../schema/timestamp-column';

/** The e-mail that tells a customer of the migration; one an account (DESIGN 4). */
@Entity('welcome_email')
export class WelcomeEmailEntity {
  @PrimaryColumn({ name: 'account_id', type: 'bigint' })
  accountId: string;

  @Column({ type: 'text' })
  recipient: string;

  @Column({ type: 'text' })
  subject: string;

  @Column({ type: 'text' })
  body: string;

  /** KEPT: there is no mail server, it stays in this table. */
  @Column({ type: 'text' })
  state: 'PENDING' | 'SENT' | 'REFUSED' | 'KEPT';

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode: string | null;

  @TimestampColumn('enqueued_at')
  enqueuedAt: string;

  @TimestampColumn('sent_at', { nullable: true })
  sentAt: string | null;

  @TimestampColumn('created_at')
  createdAt: string;
}
