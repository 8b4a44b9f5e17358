import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** True if promtool is installed on this machine. Debian's prometheus package contains it. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** A suffix for the names of tests that need it. */
export const needsPromtool = hasPromtool ? '' : ' (needs promtool of the package prometheus, which is absent)'

/** Values by the name and labels of their series, one per scrape; undefined if a scrape has no value. */
export type Series = Map<string, (string | undefined)[]>

/** The series that Prometheus would have stored after scraping a server's pages one after another. */
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

/** The names of the alerts that are firing at the end, with one scrape every `everyMinutes` minutes. */
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

/** The failures, because the test expects no alerts to fire. */
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
