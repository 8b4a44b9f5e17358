import { randomUUID } from 'node:crypto'
import { trace } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { productVersion } from '#server/platform/running/product-version.ts'
import type { TraceSettings } from './trace-settings.ts'

/** Sends this process's spans. */
export interface Traces {
  /** Sends the remaining spans, for up to two seconds. */
  close(): Promise<void>
}

/** The limit for one request to the collector, including retries. */
const sendsWithinMilliseconds = 10_000
const closesWithinMilliseconds = 2_000
/** Further spans are dropped, so that a hanging collector cannot exhaust memory. */
const mostWaitingSpans = 2048

/**
 * Sends spans to a collector by OTLP over HTTP. [Note: A collector never holds anything back] Spans wait in a bounded
 * queue, are sent in the background, and are dropped if the collector is unreachable. `onFailure` is called for each lost
 * batch.
 * @throws {Error} if the packages for it are not installed
 */
export async function openTraces(
  settings: TraceSettings | undefined,
  onFailure: (error: unknown) => void,
): Promise<Traces> {
  if (settings === undefined) return { close: async () => undefined }
  const { BatchSpanProcessor, resourceFromAttributes, OTLPTraceExporter, TracerProvider } =
    await loadPackages()
  const exporter = new OTLPTraceExporter({
    url: settings.address,
    headers: { ...settings.headers },
    timeoutMillis: sendsWithinMilliseconds,
    userAgent: `Selfsame/${productVersion}`,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': productVersion,
      'service.instance.id': randomUUID(),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingExporter(exporter, onFailure),
        maxQueueSize: mostWaitingSpans,
        exportTimeoutMillis: sendsWithinMilliseconds + 1000,
      }),
    ],
  })
  trace.setGlobalTracerProvider(provider)
  return {
    async close() {
      const patience = new Promise<void>((over) => setTimeout(over, closesWithinMilliseconds).unref())
      await Promise.race([provider.shutdown().catch(onFailure), patience])
    },
  }
}

/** Without this, the package would print each failed batch itself, bypassing the log and its limit of one line a minute. */
function reportingExporter(exporter: SpanExporter, onFailure: (error: unknown) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, ({ error }) => {
        if (error !== undefined) onFailure(error)
        done({ code: 0 })
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

/** [Note: Packages of traces are optional] Only a process that sends traces loads them, and an installation may lack them. */
async function loadPackages() {
  try {
    const [sdk, resources, otlp] = await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])
    return { ...sdk, ...resources, ...otlp }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages that send traces are not installed: run npm ci --ignore-scripts, or unset it.',
    )
  }
}
