import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Observe } from '#server/http/requests/request-record.ts'
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
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'selfsame_http_request_duration_seconds',
    help: 'Requests that were answered, and how long it took.',
    labelNames: ['method', 'route', 'status', 'role'],
    buckets: seconds,
    registers,
  })
  const analyses = new Histogram({
    name: 'selfsame_analysis_duration_seconds',
    help: 'Pictures that were analysed, and how long it took, waiting included.',
    labelNames: ['outcome'],
    buckets: seconds,
    registers,
  })
  const sessions = new Counter({
    name: 'selfsame_sessions_total',
    help: 'Sessions that ended, by their result, and apart where another action was asked than the first one drawn.',
    labelNames: ['result', 'alternative'],
    registers,
  })
  const findings = new Counter({
    name: 'selfsame_session_findings_total',
    help: 'What spoke against a live person in sessions that ended; a session may have several.',
    labelNames: ['finding'],
    registers,
  })
  const steps = new Counter({
    name: 'selfsame_session_steps_total',
    help: 'Actions that were asked in sessions that ended, by what came of them.',
    labelNames: ['reason'],
    registers,
  })
  const webhooks = new Counter({
    name: 'selfsame_webhook_attempts_total',
    help: 'Attempts to hand over a webhook.',
    labelNames: ['outcome'],
    registers,
  })
  addGauges(registers, sources)

  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    observe: ({ method, route = 'none', status, role = 'none', durationInMilliseconds }) =>
      requests.observe({ method, route, status, role }, durationInMilliseconds / 1000),
    tally: {
      sessionEnded: ({ result, alternative, findings: found, steps: taken }) => {
        sessions.inc({ result, alternative: alternative ? 'yes' : 'no' })
        for (const finding of found) findings.inc({ finding })
        for (const reason of taken) steps.inc({ reason })
      },
      webhookSent: (taken) => webhooks.inc({ outcome: taken ? 'taken' : 'refused' }),
    },
    analysisEnded: (outcome, durationInSeconds) => analyses.observe({ outcome }, durationInSeconds),
  }
}

function addGauges(registers: Registry[], sources: Sources): void {
  new Gauge({
    name: 'selfsame_analysis_queue_length',
    help: 'Pictures that wait to be analysed.',
    registers,
    collect() {
      this.set(Math.max(0, sources.analysesUnderWay() - sources.parallelAnalyses()))
    },
  })
  new Gauge({
    name: 'selfsame_analyses_under_way',
    help: 'Pictures that are being analysed.',
    registers,
    collect() {
      this.set(Math.min(sources.analysesUnderWay(), sources.parallelAnalyses()))
    },
  })
  new Gauge({
    name: 'selfsame_store_bytes',
    help: 'The size of the embedded store on disk.',
    registers,
    async collect() {
      this.set(await sources.storeBytes())
    },
  })
}
