import { runGroup } from './run-group';

runGroup('.spec.ts', 3, 4);
