import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { NoteResult } from './note-identity';

@ApiSchema({ name: 'NoteResult', description: 'The result of one submitted note (contract, "Note").' })
export class NoteResultView {
  @ApiProperty({ format: 'date-time', description: 'The stored time, YYYY-MM-DDTHH:MM:SSZ.' })
  created_at: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null for a note that has documents only.' })
  body: string | null;

  @ApiProperty({ type: String, enum: ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'] })
  status: NoteResult['status'];

  @ApiPropertyOptional({
    type: [String],
    description:
      'Set if a note with the same `external_id` exists with other content: the names of the fields that differ. The stored note is unchanged.',
  })
  differences?: string[];
}
