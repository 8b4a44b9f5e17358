import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Observe } from '#server/platform/http/requests/request-record.ts'
import type { StoreOperation } from '#server/platform/store/timed-store.ts'
import { addReadings, type Sources } from './readings.ts'
import type { Tally } from './tally.ts'
import { Times } from './times.ts'

const seconds = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** How an analysis ended: `rejected` if the queue was full, `failed` also if the picture could not be read. */
export type AnalysisOutcome = 'done' | 'rejected' | 'failed'

/** A process's metrics and their endpoint. */
export interface Metrics {
  readonly contentType: string
  render(): Promise<string>
  readonly observe: Observe
  readonly tally: Tally
  analysisEnded(outcome: AnalysisOutcome, durationInSeconds: number): void
  storeTook(operation: StoreOperation, durationInSeconds: number): void
  searched(faces: number, durationInSeconds: number): void
  /** A failure was logged or suppressed. */
  onFailure(): void
  /** An operator was warned. */
  onWarning(code: string): void
}

/** Metric names include units. Labels only take values defined by the interface or this code, so callers cannot make them grow. */
export function createMetrics(sources: Sources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Omits gauges that end in `_total`, a suffix that Prometheus reserves for counters. Each is the sum of another one of
  // these metrics.
  for (const kind of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  const histogram = (name: string, help: string, ...labelNames: string[]) =>
    new Histogram({ name: `selfsame_${name}`, help, labelNames, buckets: seconds, registers })
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `selfsame_${name}`, help, labelNames, registers })

  const requests = addTimesOfRequests(registry)
  const analyses = histogram(
    'analysis_duration_seconds',
    'Analysed pictures and the time taken, including waiting.',
    'outcome',
  )
  const sessions = counter(
    'sessions_total',
    'Finished sessions by result, and by whether another action replaced the first one drawn.',
    ...['result', 'alternative'],
  )
  const findings = counter(
    'session_findings_total',
    'Findings against a live person in finished sessions; a session may have several.',
    'finding',
  )
  const cues = counter(
    'session_cues_total',
    'Answers of the cues (light, pixels and time) in finished sessions.',
    ...['cue', 'answer'],
  )
  const steps = counter(
    'session_steps_total',
    'Actions requested in finished sessions, by outcome.',
    'reason',
  )
  addReadings(registers, sources)

  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    observe: ({ method, route = 'none', status, role = 'none', durationInMilliseconds }) =>
      requests.note([method, route, String(status), role], durationInMilliseconds / 1000),
    tally: {
      sessionEnded: ({ result, alternative, findings: found, cues: said, steps: taken }) => {
        sessions.inc({ result, alternative: alternative ? 'yes' : 'no' })
        for (const finding of found) findings.inc({ finding })
        for (const { name, answer } of said) cues.inc({ cue: name, answer })
        for (const reason of taken) steps.inc({ reason })
      },
      ...tallyOfBackground(registers),
    },
    analysisEnded: (outcome, durationInSeconds) => analyses.observe({ outcome }, durationInSeconds),
    ...timesOfStore(registry),
    ...tallyOfLog(registers),
  }
}

/** [Note: Without labels] A labelled series that appears with its first failure would show no increase to Prometheus. */
function tallyOfLog(registers: Registry[]): Pick<Metrics, 'onFailure' | 'onWarning'> {
  const failures = new Counter({
    name: 'selfsame_failures_total',
    help: 'Logged failures, including those whose lines were suppressed.',
    registers,
  })
  const warnings = new Gauge({
    name: 'selfsame_warning',
    help: '1 for each code that the log has warned of since the start.',
    labelNames: ['code'],
    registers,
  })
  return { onFailure: () => failures.inc(), onWarning: (code) => warnings.set({ code }, 1) }
}

function tallyOfBackground(registers: Registry[]): Omit<Tally, 'sessionEnded'> {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `selfsame_${name}`, help, labelNames, registers })
  const attempts = counter('webhook_attempts_total', 'Attempts to deliver a webhook.', 'outcome')
  const lost = counter('webhooks_lost_total', 'Webhooks abandoned after their last attempt.')
  const evidence = counter(
    'evidence_lost_total',
    'Times that pictures of a session could not be stored for its review.',
  )
  const unreadable = counter(
    'unreadable_records_total',
    'Records that a background pass skipped because it could not read them.',
    'kind',
  )
  return {
    recordUnreadable: (kind) => unreadable.inc({ kind }),
    evidenceLost: () => evidence.inc(),
    webhookLost: () => lost.inc(),
    webhookSent: (taken) => attempts.inc({ outcome: taken ? 'taken' : 'refused' }),
  }
}

/** Timings of store operations and face searches. */
function timesOfStore(registry: Registry): Pick<Metrics, 'storeTook' | 'searched'> {
  const registers = [registry]
  const stored = addTimes(
    registry,
    'store_duration_seconds',
    'Operations on the store and the time taken.',
    ['operation'],
    milliseconds,
  )
  const searches = shortHistogram(
    registers,
    'search_duration_seconds',
    'Searches among the faces of a collection and the time taken.',
  )
  const help = 'Faces compared in searches.'
  const searched = new Counter({ name: 'selfsame_searched_faces_total', help, registers })
  return {
    storeTook: (operation, durationInSeconds) => stored.note([operation], durationInSeconds),
    searched(faces, durationInSeconds) {
      searches.observe(durationInSeconds)
      searched.inc(faces)
    },
  }
}

function addTimesOfRequests(registry: Registry): Times<string> {
  const help = 'Answered requests and the time taken.'
  const labelNames = ['method', 'route', 'status', 'role']
  return addTimes(registry, 'http_request_duration_seconds', help, labelNames, seconds)
}

function addTimes(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  buckets: readonly number[],
): Times<string> {
  const times = new Times({ name: `selfsame_${name}`, help, labelNames, buckets })
  registry.registerMetric(times)
  return times
}

const milliseconds = [0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 2, 5]

function shortHistogram(registers: Registry[], name: string, help: string) {
  return new Histogram({ name: `selfsame_${name}`, help, buckets: milliseconds, registers })
}
