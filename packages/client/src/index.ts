// The client of the data-import API: its operations, with generated types, with tokens, retries and errors.
export { AccessLost, type FinalAnswer } from './authorized-client';
export type { BookPart, BookSource } from './book-body';
export type { UploadOptions } from './book-upload';
export { type Clock, systemClock } from './clock';
export { type EventType, type FollowEventsOptions } from './event-feed';
export { isJsonObject, type JsonObject, parseJson, textField } from './json';
export type { Failure, OperationId, Options, Success } from './operations';
export {
  createPortageClient,
  DEFAULT_RETRY_POLICY,
  PortageClient,
  type PortageClientOptions,
} from './portage-client';
export { parseFieldError, PortageError } from './portage-error';
export { Unreachable } from './retry/retrier';
export type { RetryPolicy } from './retry/retry-policy';
export type { ResultsOptions } from './submission-results';
export { NotTheService, TokenRefused } from './token/token-endpoint';
export { type ByteStream, NoAnswer, type StreamedBody } from './transport/transport';
export { type ReceivedWebhook, receiveWebhook, type ReceiveWebhookOptions, WebhookRefused } from './webhook';
// Types of bodies and of operations.
export type * from './generated/api';
