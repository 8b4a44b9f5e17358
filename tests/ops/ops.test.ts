import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { createMetrics } from '#server/platform/telemetry/figures/metrics.ts'
import { quietSources } from '../support/quiet-sources.ts'
import { alertRules as rules } from './alert-rules.ts'

const dashboard = JSON.parse(readFileSync('ops/dashboard.json', 'utf8')) as {
  panels: { id: number; title: string; targets: { expr: string }[] }[]
}

const expressions = [
  ...rules.map(({ name, expr }) => [name, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

let told: string
beforeAll(async () => {
  const metrics = createMetrics(quietSources)
  metrics.observe({
    requestId: '',
    method: 'GET',
    route: '/v1/healthz',
    role: 'security',
    status: 200,
    durationInMilliseconds: 1,
    bytes: 1,
  })
  metrics.analysisEnded('done', 1)
  metrics.tally.webhookSent(false)
  metrics.onWarning('store_evicts')
  metrics.tally.sessionEnded({
    result: 'Fail',
    alternative: false,
    findings: ['livenessFailed'],
    cues: [{ name: 'light', answer: 'broken' }],
    steps: ['performed'],
  } as never)
  metrics.tally.recordUnreadable('session')
  told = await metrics.render()
})

/** PromQL keywords, and labels that Prometheus itself and Grafana add. */
const words = new Set(
  'sum min by rate increase abs on or unless histogram_quantile count predict_linear and le instance job up __rate_interval'.split(
    ' ',
  ),
)
/** Drops quoted text, ranges in brackets and numbers, because they are not names. */
const namesIn = (expr: string) =>
  expr.replace(/"[^"]*"|\[[^\]]*\]|\b\d[\w.]*/g, '').match(/\$?[a-z_]\w*/g) ?? []

/** The names of all series and labels in the metrics. */
function known(name: string): boolean {
  return words.has(name.replace('$', '')) || new RegExp(`^${name}[{ ]|[{,]${name}="`, 'm').test(told)
}

describe('the queries of ops/', () => {
  test.each(expressions)('%s is told by /metrics: %s', (_name, expr) => {
    expect(namesIn(expr).filter((name) => !known(name))).toEqual([])
  })

  test('use existing label values', () => {
    const asked = expressions.flatMap(([, expr]) => [...expr.matchAll(/(outcome|result)="(\w+)"/g)])
    expect(asked.length).toBeGreaterThan(2)
    const values = { outcome: ['done', 'refused', 'taken', 'failed', 'rejected'], result: ['Pass', 'Fail'] }
    for (const [, label, value] of asked) expect(values[label as 'outcome' | 'result']).toContain(value)
  })
})

describe('the alerts', () => {
  test('each have a unique name, a severity, a summary and an action', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
    for (const { text } of rules) {
      expect(text).toMatch(/severity: (page|ticket)/)
      expect(text).toMatch(/summary: \S/)
      expect(text).toMatch(/action: \S/)
    }
  })

  test('would fail with an unknown name', () => {
    expect(known('selfsame_no_such_total')).toBe(false)
    expect(known('selfsame_sessions_total')).toBe(true)
  })
})

test('the panels of the dashboard have unique ids', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})
