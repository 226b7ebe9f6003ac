import { runGroup } from './run-group';

runGroup('.int-spec.ts', 4, 4);
