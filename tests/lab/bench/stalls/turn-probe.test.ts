import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { turnProbe, turnsFrom } from '#lab/bench/stalls/turn-probe.ts'

/** Works for 100 ms in one turn, then for the same time spread over ten turns. */
const program = `
  const work = (milliseconds) => {
    const until = process.cpuUsage().user + milliseconds * 1000
    while (process.cpuUsage().user < until) Math.sqrt(2)
  }
  const pause = () => new Promise((over) => setTimeout(over, 20))
  await pause()
  work(100)
  await pause()
  for (let i = 0; i < 10; i++) {
    work(10)
    await pause()
  }`

test.skipIf(!existsSync('/proc/self/schedstat'))(
  'a probe distinguishes turns by the processor time of each',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'selfsame-turns-'))
    const file = join(folder, 'turns')
    writeFileSync(file, '')
    try {
      execFileSync(process.execPath, ['--import', turnProbe(file), '--input-type=module', '-e', program])
      const turns = turnsFrom(readFileSync(file, 'utf8')).map(({ processorMs }) => processorMs)
      const [longest = 0, next = 0] = turns.toSorted((a, b) => b - a)
      expect(longest).toBeGreaterThan(90)
      // Starting Node takes a turn too, but it is shorter than the long one.
      expect(next).toBeLessThan(longest)
      expect(turns.filter((milliseconds) => milliseconds >= 5).length).toBeGreaterThanOrEqual(10)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
