import { runGroup } from './run-group';

runGroup('.int-spec.ts', 2, 4);
