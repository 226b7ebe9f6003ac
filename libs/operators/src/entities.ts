import { OperatorEntity } from './operators/operator.entity';
import { OperatorSessionEntity } from './operators/operator-session.entity';
import { WorkerHeartbeatEntity } from './console/worker-heartbeat.entity';

/** The tables of this subject. */
export const operatorEntities = [OperatorEntity, OperatorSessionEntity, WorkerHeartbeatEntity];
