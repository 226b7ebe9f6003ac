import { ImportCountChangeEntity, ImportCountEntity } from './counts/import-count.entity';
import {
  ImportThroughputMinuteEntity,
  ImportThroughputSecondEntity,
} from './counts/import-throughput.entity';
import { ImportProcessCorrectionEntity } from './processes/import-process-correction.entity';
import { ImportProcessEntity } from './processes/import-process.entity';
import { ImportProcessEventEntity } from './processes/import-process-event.entity';
import { ImportProcessPayloadEntity } from './processes/import-process-payload.entity';

/** The tables of this subject. */
export const importEntities = [
  ImportCountChangeEntity,
  ImportCountEntity,
  ImportProcessCorrectionEntity,
  ImportProcessEntity,
  ImportProcessEventEntity,
  ImportProcessPayloadEntity,
  ImportThroughputMinuteEntity,
  ImportThroughputSecondEntity,
];
