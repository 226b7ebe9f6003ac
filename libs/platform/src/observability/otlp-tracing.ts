import type { OnApplicationShutdown } from '@nestjs/common';
import {
  context,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { type OpenSpan, type SpanOptions, Tracing } from './tracing';

const KINDS = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
};
/** Spans that are not exported in time are dropped. No request waits for the collector. */
const EXPORT_TIMEOUT_MS = 5_000;
const EXPORT_INTERVAL_MS = 1_000;
const MAX_QUEUED_SPANS = 4_096;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Exports spans to an OpenTelemetry collector by OTLP over HTTP. */
export class OtlpTracing extends Tracing implements OnApplicationShutdown {
  private readonly provider: NodeTracerProvider;
  private readonly tracer: Tracer;

  /** @param percent sampled percentage of the spans without a parent */
  constructor(endpoint: string, percent: number) {
    super();
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      timeoutMillis: EXPORT_TIMEOUT_MS,
    });
    this.provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'portage', 'process.pid': process.pid }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
      spanProcessors: [
        new BatchSpanProcessor(exporter, {
          maxQueueSize: MAX_QUEUED_SPANS,
          scheduledDelayMillis: EXPORT_INTERVAL_MS,
          exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        }),
      ],
    });
    // Registers the context manager only. Without a propagator, instrumented libraries do not forward the trace
    // context.
    this.provider.register({ propagator: null });
    this.tracer = this.provider.getTracer('portage');
  }

  override async inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    const span = this.start(name, options);
    try {
      return await context.with(trace.setSpan(context.active(), span), work);
    } catch (error) {
      // The span does not record the error message, which may quote values of a row.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  override async inChildSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    return trace.getActiveSpan() ? this.inSpan(name, options, work) : work();
  }

  override startSpan(name: string, options: SpanOptions, since: number): OpenSpan {
    const span = this.start(name, options, since);
    const inside = trace.setSpan(context.active(), span);
    return {
      run: (work) => {
        context.with(inside, work);
      },
      end: (attributes, hasFailed) => {
        span.setAttributes(attributes);
        if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  override get traceparent(): string | undefined {
    const span = trace.getActiveSpan()?.spanContext();
    if (!span) return undefined;
    return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.provider.shutdown().catch(() => undefined);
  }

  private start(name: string, { kind, parent, attributes = {} }: SpanOptions, startTime?: number): Span {
    const options = { kind: KINDS[kind], attributes, ...(startTime === undefined ? {} : { startTime }) };
    return this.tracer.startSpan(name, options, parentContext(parent));
  }
}

function parentContext(parent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(parent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return context.active();
  return trace.setSpanContext(context.active(), {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}
