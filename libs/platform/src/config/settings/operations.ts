import {
  boolean,
  headerToken,
  integer,
  oneOf,
  optional,
  traceUrlTemplate,
  urlWithScheme,
} from '../validators';

export const operationsSettings = {
  METRICS_TOKEN: headerToken(16)({
    ...optional,
    desc: 'Bearer token for /metrics of API and worker, at least 16 characters. Default: generated under PORTAGE_DIR; in production /metrics is disabled.',
  }),
  LOG_LEVEL: oneOf(
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
    'silent',
  )({
    default: 'info',
    desc: 'Minimum severity of a log line: fatal, error, warn, info, debug, trace or silent.',
  }),
  LOG_REQUESTS: boolean({ default: true, desc: 'Writes one log line for each HTTP request.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlWithScheme(
    'http',
    'https',
  )({
    ...optional,
    desc: 'URL of the OpenTelemetry collector that receives traces by OTLP over HTTP, without /v1/traces. OTEL_EXPORTER_OTLP_HEADERS is sent with each export. Default: tracing is disabled.',
  }),
  OTEL_TRACES_PERCENT: integer({
    min: 0,
    max: 100,
    default: 100,
    desc: 'Percentage of requests that are traced. A sampling decision of the caller takes precedence.',
  }),
  TRACE_URL_TEMPLATE: traceUrlTemplate({
    ...optional,
    desc: 'URL of a trace in your tracing system, with {trace_id} in the place of the trace id, such as https://traces.example.com/trace/{trace_id}. The console links accounts to it. Default: no links.',
  }),
};
