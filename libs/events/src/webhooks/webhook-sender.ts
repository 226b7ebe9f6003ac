/** One request to an endpoint. */
export interface WebhookRequest {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Why an attempt had no response, or what was wrong with it. */
export const DELIVERY_ERRORS = {
  http_status: 'The receiver answered with a status other than 2xx.',
  timeout: 'The receiver did not answer within 10 seconds.',
  connection_failed: 'No connection to the receiver could be opened.',
  connection_closed: 'The receiver closed the connection without an answer.',
  tls_failed: 'The certificate of the receiver is not valid, or TLS could not be negotiated.',
  response_invalid: 'The receiver did not answer with HTTP.',
  address_refused: 'The host name has no address, or not only addresses that webhooks are sent to.',
  url_refused: 'Webhooks are not sent to this URL with the current settings of the service.',
} as const;
export type DeliveryError = keyof typeof DELIVERY_ERRORS;

/** The result of one attempt. `status` is null if there was no response. */
export interface DeliveryResult {
  status: number | null;
  /** Null after a delivery. */
  error: DeliveryError | null;
  durationMs: number;
}

/** A sender for the requests to one URL. They share a connection while the receiver keeps it open. */
export interface WebhookChannel {
  /**
   * Sends one request. Every result is a value: an exception is a defect.
   *
   * @param signal aborts the request. Its result is then not meaningful.
   */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<DeliveryResult>;
  /** Closes the connection. */
  close(): void;
}

/** Sends requests to the URLs of suppliers, which are not trusted. */
export abstract class WebhookSender {
  /** Opens a channel to a URL. No connection is opened before the first request. */
  abstract open(url: string): WebhookChannel;
}
