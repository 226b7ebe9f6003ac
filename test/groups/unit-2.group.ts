import { runGroup } from './run-group';

runGroup('.spec.ts', 2, 4);
