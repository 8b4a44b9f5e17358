import * as v from 'valibot'

/** The span collector, and how to address it. */
export interface TraceSettings {
  /** The address that accepts traces: `…/v1/traces`. */
  readonly address: string
  /** Sent with each request to the collector. A value may be a secret. */
  readonly headers: Readonly<Record<string, string>>
  /** This deployment's name at the collector. */
  readonly serviceName: string
}

const headerForm = /^\s*[\w!#$%&'*+.^`|~-]+\s*=[^,]*$/

/** Settings, with the names from the OpenTelemetry specification. */
export const traceEntries = {
  /** Unless this is set, nothing is sent and no package is loaded for it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(
    v.pipe(
      v.string(),
      v.check(
        isCollector,
        'Must be an address such as http://collector:4318, without a password or a query.',
      ),
    ),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => text.split(',').every((part) => headerForm.test(part) && isPercentEncoded(part)),
        'Must be NAME=VALUE pairs, separated by commas, with percent-encoded values.',
      ),
      v.transform(headersOf),
    ),
  ),
  OTEL_SERVICE_NAME: v.optional(
    v.pipe(v.string(), v.maxLength(100, 'Must have at most 100 characters.')),
    'selfsame',
  ),
} as const

const read = v.object(traceEntries)

/** Undefined if spans are not sent. @throws {Error} if only some of the settings are set */
export function tracesOf(env: v.InferOutput<typeof read>): TraceSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = env
  if (endpoint !== undefined)
    return {
      address: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      headers: headers ?? {},
      serviceName: env.OTEL_SERVICE_NAME,
    }
  if (headers === undefined) return undefined
  throw new Error('The settings are wrong.\n  OTEL_EXPORTER_OTLP_HEADERS: Needs OTEL_EXPORTER_OTLP_ENDPOINT.')
}

function isCollector(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && `${search}${hash}${username}${password}` === ''
}

function isPercentEncoded(text: string): boolean {
  return !/%(?![\da-f]{2})/i.test(text) && URL.canParse(`data:,${text}`)
}

function headersOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const at = part.indexOf('=')
      return [part.slice(0, at).trim(), decodeURIComponent(part.slice(at + 1).trim())]
    }),
  )
}
