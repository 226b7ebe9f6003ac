import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { CreatedAtColumn } from '../schema/timestamp-column';

/** A company that migrates accounts. It owns API keys and suppliers and sees its own only. */
@Entity('organisation')
export class OrganisationEntity {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column({ type: 'text' })
  name: string;

  @CreatedAtColumn()
  createdAt: string;
}
