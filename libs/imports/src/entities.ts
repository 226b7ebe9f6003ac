import { ImportCountChangeEntity, ImportCountEntity } from './counts/import-count.entity';
import {
  ImportThroughputMinuteEntity,
  ImportThroughputSecondEntity,
} from './counts/import-throughput.entity';
import {
  ImportProcessCountEntity,
  ImportProcessErrorCountEntity,
  ImportProcessMinuteEntity,
  ImportProcessRollupEntity,
} from './counts/release-1-0-0.entity';
import { ImportProcessEntity } from './processes/import-process.entity';
import { ImportProcessEventEntity } from './processes/import-process-event.entity';
import { ImportProcessPayloadEntity } from './processes/import-process-payload.entity';

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
