import { runGroup } from './run-group';

runGroup('.spec.ts', 4, 4);
