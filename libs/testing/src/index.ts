// Test support: databases, queue backends and built services for tests. Only specs, test/ and bench/ import it.
// @portage/testing/application runs the service in the test's process. It is separate, because loading it takes seconds.
export { account } from './account';
export { announceSkipped, MISSING } from './announce-skipped';
export type { Answer } from './answer';
export { anyBackend, mayTestRedis, newRedisDatabase, type TestedBackend, testedBackends } from './backends';
export { builtProgram, REPOSITORY } from './built-programs';
export { findProgram } from './chromium';
export { type AnswerDocument, DocumentedAnswers } from './documented-answers';
export {
  type DocumentedRoute,
  documentedRoutes,
  LINES_MEDIA_TYPE,
  PDF_MEDIA_TYPE,
} from './documented-routes';
export { untilFeedIsCurrent } from './feed-is-current';
export { insertProcesses } from './insert-processes';
export { Installation, type InstallationNeeds } from './installation/installation';
export { logIn, OPERATOR_PASSWORD, OperatorClient, signIn, storeOperator } from './operator-client';
export { INTENDED_FAILURE, METRICS_TOKEN, PortageClient } from './portage-client';
export { sendRaw } from './raw-http';
export { additionsPath, importAndReadBack, readBackPath } from './read-back';
export { findRedisProgram, RedisServers, type RedisTopology } from './installation/redis-servers';
export { sendBook } from './send-book';
export { SharedPortage } from './shared-portage';
export { LIMITS } from './shared-services';
export { processId, storeErrored, storeWaiting, tomorrow } from './stored-processes';
export { applicationUrl, newDatabase } from './template-database';
export { newDirectory } from './test-directory';
export { newClientAddress, requestToken, type TokenAnswer } from './token-client';
export { type CollectedSpan, TraceCollector } from './trace-collector';
export { staysTrue, until } from './until';
export { uploadAnswer, uploadCounts } from './upload-answer';
