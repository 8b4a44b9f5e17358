import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Whether this machine has what Debian's package prometheus brings to try rules with. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** What to add to the name of a test that needs it. */
export const needsPromtool = hasPromtool ? '' : ' (needs promtool of the package prometheus, which is absent)'

/** Values by the name and labels of their series, one for each time that a page was read; a gap where it told none. */
export type Series = Map<string, (string | undefined)[]>

/** What Prometheus would have kept of a server's pages, read one after the other. */
export function seriesOf(pages: readonly string[], instance = 'one'): Series {
  const series: Series = new Map()
  for (const [at, page] of pages.entries()) {
    for (const [, name, , labels = '', value] of page.matchAll(/^([a-z_:][\w:]*)(\{(.*)\})? (\S+)$/gim)) {
      const whole = `${name}{${[labels, 'job="selfsame"', `instance="${instance}"`].filter((one) => one !== '').join(',')}}`
      const values = series.get(whole) ?? []
      values[at] = value!.replace('Nan', 'NaN')
      series.set(whole, values)
    }
  }
  return series
}

/** The names of the alerts that fire at the end, where these series were read every so many minutes. */
export function firing(series: Series, everyMinutes = 1): string[] {
  const length = Math.max(...[...series.values()].map((values) => values.length))
  const input = [...series].map(([name, values]) => ({
    series: name,
    values: Array.from({ length }, (_, at) => values[at] ?? '_').join(' '),
  }))
  const none = {
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${(length - 1) * everyMinutes}m`,
    exp_samples: [],
  }
  const test = { interval: `${everyMinutes}m`, input_series: input, promql_expr_test: [none] }
  const said = tried({
    rule_files: [resolve('ops/alerts.yaml')],
    evaluation_interval: '1m',
    tests: [test],
  })
  const [, got = ''] = said.split('got:')
  return [...got.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name!).sort()
}

/** What it expected otherwise, as none was said to fire. */
function tried(tests: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-rules-'))
  const file = join(folder, 'test.yaml')
  try {
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(tests))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    const said = stdout + stderr
    if (status !== 0 && !said.includes('got:')) throw new Error(said)
    return said
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
