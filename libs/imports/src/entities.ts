import { ImportCountChangeEntity, ImportCountEntity } from './counts/import-count.entity';
import {
  ImportThroughputMinuteEntity,
  ImportThroughputSecondEntity,
} from './counts/import-throughput.entity';
import { ImportProcessCountEntity } from './processes/import-process-count.entity';
import { ImportProcessEntity } from './processes/import-process.entity';
import { ImportProcessErrorCountEntity } from './processes/import-process-minute.entity';
import { ImportProcessEventEntity } from './processes/import-process-event.entity';
import { ImportProcessMinuteEntity } from './processes/import-process-minute.entity';
import { ImportProcessPayloadEntity } from './processes/import-process-payload.entity';
import { ImportProcessRollupEntity } from './processes/import-process-minute.entity';

/** The tables of this subject. */
export const importEntities = [
  ImportCountChangeEntity,
  ImportCountEntity,
  ImportProcessCountEntity,
  ImportProcessEntity,
  ImportProcessErrorCountEntity,
  ImportProcessEventEntity,
  ImportProcessMinuteEntity,
  ImportProcessPayloadEntity,
  ImportProcessRollupEntity,
  ImportThroughputMinuteEntity,
  ImportThroughputSecondEntity,
];
