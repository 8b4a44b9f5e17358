import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { Times } from '#server/platform/telemetry/figures/times.ts'

const options = {
  name: 'took_seconds',
  help: 'How long.',
  labelNames: ['kind', 'status'],
  buckets: [0.1, 0.5, 2],
}

/** A metric's lines, with each line's labels in the same order. */
async function linesOf(metric: Histogram<string>): Promise<string[]> {
  const registry = new Registry()
  registry.registerMetric(metric)
  const text = await registry.metrics()
  return text
    .split('\n')
    .map((line) => line.replace(/\{(.*)\}/, (_, labels) => `{${labels.split(',').sort()}}`))
}

test('reports the same as the library', async () => {
  const times = new Times(options)
  const theirs = new Histogram({ ...options, registers: [] })
  const seen = [0, 0.1, 0.10001, 0.5, 1.5, 2, 2.1, 400]
  for (const [i, seconds] of seen.entries()) {
    const [kind, status] = [i % 2 === 0 ? 'get' : 'put', i % 3 === 0 ? '200' : '404']
    times.note([kind!, status!], seconds)
    theirs.observe({ kind, status }, seconds)
  }
  const told = await linesOf(times)
  expect(told).toEqual(await linesOf(theirs))
  expect(told).toContain('took_seconds_count{kind="get",status="200"} 2')
})

test('reports the same as values, and nothing without observations', async () => {
  const times = new Times(options)
  expect((await times.get()).values).toEqual([])
  times.note(['get', '200'], 0.3)
  const { type, aggregator, values } = await times.get()
  expect([type, aggregator]).toEqual(['histogram', 'sum'])
  expect(values.map(({ metricName, value, labels }) => [metricName, value, labels])).toEqual([
    ['took_seconds_bucket', 0, { le: 0.1, kind: 'get', status: '200' }],
    ['took_seconds_bucket', 1, { le: 0.5, kind: 'get', status: '200' }],
    ['took_seconds_bucket', 1, { le: 2, kind: 'get', status: '200' }],
    ['took_seconds_bucket', 1, { le: '+Inf', kind: 'get', status: '200' }],
    ['took_seconds_sum', 0.3, { kind: 'get', status: '200' }],
    ['took_seconds_count', 1, { kind: 'get', status: '200' }],
  ])
})
