import { runGroup } from './run-group';

runGroup('.int-spec.ts', 3, 4);
