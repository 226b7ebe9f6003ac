export type * from '../../../api/src/operator/shapes';
export type { OperatorRole as Role } from '../../../api/src/operator/shapes';
