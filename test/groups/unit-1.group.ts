import { runGroup } from './run-group';

runGroup('.spec.ts', 1, 4);
