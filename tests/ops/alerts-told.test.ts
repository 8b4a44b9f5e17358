import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createMetrics } from '#server/platform/telemetry/figures/metrics.ts'
import { startHost } from '../support/host.ts'
import { quietSources } from '../support/quiet-sources.ts'
import { alertRules } from './alert-rules.ts'

const operate = readFileSync('docs/operate.md', 'utf8')
const incidents = readFileSync('docs/upkeep.md', 'utf8')
const wordsOf = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, word]) => word!)

/** Metrics and their alerts, one per row of the table in docs/operate.md. */
const rows = [...operate.matchAll(/^\| (`selfsame_[^|]+) \|[^|]+\| ([^|]+) \|$/gm)].map(
  ([, metrics, alerts]) => ({
    metrics: wordsOf(metrics!, /`(selfsame_\w+)`/g),
    alerts: wordsOf(alerts!, /`(Selfsame\w+)`/g),
  }),
)
const [, unwatched = ''] =
  /^No rule watches these, because they do not indicate a failure: ([\s\S]*?)\. A value/m.exec(operate)!
const withoutAlert = wordsOf(unwatched, /`(selfsame_\w+)`/g)

/** All of the product's metrics, by the names on its metrics page. */
const told = async () => {
  const host = await startHost()
  const page = await host.fetch('/metrics', { headers: { authorization: `ApiKey ${host.apiKey}` } })
  const text = (await page.text()) + (await createMetrics(quietSources).render())
  await host.close()
  return [...new Set(wordsOf(text, /^# TYPE (selfsame_\w+) /gm))].sort()
}

describe('a metric', () => {
  test('has an alert or a stated reason for none, for every metric of the product and no other', async () => {
    const named = [...rows.flatMap(({ metrics }) => metrics), ...withoutAlert]
    expect([...new Set(named)].sort()).toEqual(await told())
    expect(new Set(named).size).toBe(named.length)
  })

  test.each(rows)('is watched by the rules of its row: $metrics', ({ metrics, alerts }) => {
    expect(alerts.length).toBeGreaterThan(0)
    for (const name of alerts) {
      const { expr } = alertRules.find((rule) => rule.name === name)!
      expect(
        metrics.some((metric) => expr.includes(metric)),
        `${name}: ${expr}`,
      ).toBe(true)
    }
  })

  test.each([
    ['selfsame_ready', 'SelfsameNotReady'],
    ['selfsame_store_takes_writes', 'SelfsameStoreRefuses'],
    ['selfsame_store_limit_bytes', 'SelfsameStoreFull'],
    ['selfsame_disk_free_bytes', 'SelfsameDiskFull'],
    ['selfsame_clock_drift_seconds', 'SelfsameClock'],
    ['selfsame_analysis_queue_limit', 'SelfsameQueueFull'],
    ['selfsame_analyses_under_way', 'SelfsameAnalysisStands'],
    ['selfsame_warning', 'SelfsameAuditRolledBack'],
  ])('that says "stop" pages at once: %s by %s', (metric, name) => {
    const { expr, text } = alertRules.find((rule) => rule.name === name)!
    expect(expr).toContain(metric)
    expect(text).toContain('severity: page')
  })

  test.each([
    ['selfsame_webhooks_lost_total', 'SelfsameWebhooksLost'],
    ['selfsame_bytes_refused_total', 'SelfsameBytesRefused'],
    ['selfsame_store_write_failures_total', 'SelfsameStoreRefuses'],
  ])('that counts lost or refused items has an alert: %s', (metric, name) => {
    expect(alertRules.find((rule) => rule.name === name)!.expr).toContain(metric)
  })
})

describe('an alert', () => {
  const table = incidents.split('## What each alert asks of you')[1]!.split('\n## ')[0]!
  const asked = [...table.matchAll(/^\| ([^|]*`Selfsame[^|]*) \|/gm)].map(([, cell]) => cell!)

  test('is explained once in docs/upkeep.md, in bold if it pages', () => {
    expect(wordsOf(asked.join(), /`(Selfsame\w+)`/g).sort()).toEqual(
      alertRules.map(({ name }) => name).sort(),
    )
    const paging = alertRules.filter(({ text }) => text.includes('severity: page')).map(({ name }) => name)
    expect(wordsOf(asked.join(), /\*\*`(Selfsame\w+)`\*\*/g).sort()).toEqual(paging.sort())
  })
})
