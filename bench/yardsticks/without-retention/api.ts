import './forget-completed-jobs';
import { compiledPath } from '../../environment/checkout';

void import(compiledPath('apps/api/src/main.js'));
