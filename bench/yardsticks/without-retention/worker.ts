import './forget-completed-jobs';
import { compiledPath } from '../../environment/checkout';

void import(compiledPath('apps/worker/src/main.js'));
