import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';

@Entity('import_process')
export class ImportProcess {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'supplier_id', type: 'integer' }) supplierId: number;
  @Column({ name: 'is_dry_run', type: 'boolean' }) isDryRun: boolean;
  @Column({ type: 'integer', default: 0 }) attempt: number;
  @Column({ type: 'text' }) status: string;
  @Column({ name: 'latest_event', type: 'text' }) latestEvent: string;
  @Column({ name: 'latest_event_at', type: 'timestamptz' }) latestEventAt: Date;
  @Column({ name: 'modified_at', type: 'timestamptz' }) modifiedAt: Date;
  @Column({ name: 'external_account_number', type: 'text' }) externalAccountNumber: string;
  @Column({ name: 'external_identifier', type: 'text' }) externalIdentifier: string;
  @Column({ name: 'payload_hash', type: 'bytea' }) payloadHash: Buffer;
  @Column({ name: 'account_number', type: 'text', nullable: true }) accountNumber: string | null;
  @Column({ name: 'account_created_at', type: 'timestamptz', nullable: true }) accountCreatedAt: Date | null;
  @OneToOne(() => ImportProcessPayload, (payload) => payload.process, { cascade: ['insert'] })
  payload: Relation<ImportProcessPayload>;
  @OneToMany(() => ImportProcessEvent, (event) => event.process, { cascade: ['insert'] })
  events: Relation<ImportProcessEvent>[];
}

@Entity('import_process_payload')
export class ImportProcessPayload {
  @PrimaryColumn({ name: 'process_id', type: 'bigint' }) processId: string;
  @Column({ type: 'json' }) payload: object;
  @OneToOne(() => ImportProcess, (process) => process.payload)
  @JoinColumn({ name: 'process_id' })
  process: Relation<ImportProcess>;
}

@Entity('import_process_event')
export class ImportProcessEvent {
  @PrimaryColumn({ name: 'process_id', type: 'bigint' }) processId: string;
  @PrimaryColumn({ type: 'integer' }) version: number;
  @PrimaryColumn({ type: 'integer' }) attempt: number;
  @PrimaryColumn({ type: 'text' }) event: string;
  @Column({ type: 'text', nullable: true }) actor: string | null;
  @ManyToOne(() => ImportProcess, (process) => process.events)
  @JoinColumn({ name: 'process_id' })
  process: Relation<ImportProcess>;
}
