import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Observe } from '#server/http/requests/request-record.ts'
import { storeFormat } from '#server/store/store-stamp.ts'
import { productVersion } from './product-version.ts'
import type { Tally } from './tally.ts'

const seconds = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** How an analysis ended: `rejected` where the queue was full, `failed` also where the picture could not be read. */
export type AnalysisOutcome = 'done' | 'rejected' | 'failed'

/** The figures of a process, and where they are told. */
export interface Metrics {
  readonly contentType: string
  render(): Promise<string>
  readonly observe: Observe
  readonly tally: Tally
  analysisEnded(outcome: AnalysisOutcome, durationInSeconds: number): void
}

/** What is read when the figures are asked for. */
interface Sources {
  /** Pictures that are analysed or wait for it. */
  analysesUnderWay(): number
  parallelAnalyses(): number
  storeBytes(): Promise<number>
}

/** Names carry units, and labels only what the interface or we ourselves name: they cannot grow with what callers send. */
export function createMetrics(sources: Sources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const histogram = (name: string, help: string, ...labelNames: string[]) =>
    new Histogram({ name: `selfsame_${name}`, help, labelNames, buckets: seconds, registers })
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `selfsame_${name}`, help, labelNames, registers })

  const requests = histogram(
    'http_request_duration_seconds',
    'Requests that were answered, and how long it took.',
    ...['method', 'route', 'status', 'role'],
  )
  const analyses = histogram(
    'analysis_duration_seconds',
    'Pictures that were analysed, and how long it took, waiting included.',
    'outcome',
  )
  const sessions = counter(
    'sessions_total',
    'Sessions that ended, by their result, and apart where another action was asked than the first one drawn.',
    ...['result', 'alternative'],
  )
  const findings = counter(
    'session_findings_total',
    'What spoke against a live person in sessions that ended; a session may have several.',
    'finding',
  )
  const cues = counter(
    'session_cues_total',
    'What light, pixels and time said of sessions that ended.',
    ...['cue', 'answer'],
  )
  const steps = counter(
    'session_steps_total',
    'Actions that were asked in sessions that ended, by what came of them.',
    'reason',
  )
  const webhooks = counter('webhook_attempts_total', 'Attempts to hand over a webhook.', 'outcome')
  addGauges(registers, sources)

  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    observe: ({ method, route = 'none', status, role = 'none', durationInMilliseconds }) =>
      requests.observe({ method, route, status, role }, durationInMilliseconds / 1000),
    tally: {
      sessionEnded: ({ result, alternative, findings: found, cues: said, steps: taken }) => {
        sessions.inc({ result, alternative: alternative ? 'yes' : 'no' })
        for (const finding of found) findings.inc({ finding })
        for (const { name, answer } of said) cues.inc({ cue: name, answer })
        for (const reason of taken) steps.inc({ reason })
      },
      webhookSent: (taken) => webhooks.inc({ outcome: taken ? 'taken' : 'refused' }),
    },
    analysisEnded: (outcome, durationInSeconds) => analyses.observe({ outcome }, durationInSeconds),
  }
}

function addGauges(registers: Registry[], sources: Sources): void {
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name: `selfsame_${name}`,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  const build = new Gauge({
    name: 'selfsame_build_info',
    help: 'Always 1: the version of the program, and the format of stores that it writes.',
    labelNames: ['version', 'format'],
    registers,
  })
  build.set({ version: productVersion, format: String(storeFormat) }, 1)
  gauge('analysis_queue_length', 'Pictures that wait to be analysed.', () =>
    Math.max(0, sources.analysesUnderWay() - sources.parallelAnalyses()),
  )
  gauge('analyses_under_way', 'Pictures that are being analysed.', () =>
    Math.min(sources.analysesUnderWay(), sources.parallelAnalyses()),
  )
  gauge('store_bytes', 'The size of the embedded store on disk.', () => sources.storeBytes())
}
