import { runGroup } from './run-group';

runGroup('.int-spec.ts', 1, 4);
