import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const page = readFileSync('docs/deploy.md', 'utf8')
const section = page.split('\n## Sizes\n')[1]!.split('\n## ')[0]!
const gibibyte = 2 ** 30

type Kind = 'redis' | 'lmdb'

/** A row of measured sizes in bytes. */
function measured(name: string): Record<Kind, number> {
  const [, redis, lmdb] = new RegExp(`^\\| ${name}[^|]*\\| ([\\d.]+) \\| ([\\d.]+) \\|$`, 'm').exec(section)!
  return { redis: 1000 * Number(redis), lmdb: 1000 * Number(lmdb) }
}
const [session, stays, face] = [measured('a session'), measured('what stays'), measured('a face')]

/** The page's formula in bytes, after a number of months. */
function storeOf(kind: Kind, checks: number, faces: number, months = 1): number {
  return 1.25 * (checks * (7 / 30) * session[kind] + months * checks * stays[kind] + faces * face[kind])
}

const whole = (text: string) => Number(text.replaceAll(',', ''))
const upwards = (bytes: number) => Math.ceil(bytes / 1e8 - 1e-9) / 10

describe('the formula of the store’s size', () => {
  test('is on the page as it is computed here', () => {
    expect(section).toContain(
      'store = 1.25 × (checks a month × 7/30 × session + checks so far × what stays + faces × face)',
    )
    expect(session.redis).toBeGreaterThan(stays.redis)
  })

  const rows = [...section.matchAll(/^\| ([\d,]+) \| ([\d,]+) \| (.* \| .*) \|$/gm)]
  test('has examples', () => expect(rows.length).toBeGreaterThan(3))
  test.each(rows.map(([, checks, faces, cells]) => [checks!, faces!, cells!] as const))(
    'matches the examples of the page: %s checks a month, %s faces',
    (checks, faces, cells) => {
      const [n, f] = [whole(checks), whole(faces)]
      const [redis, lmdb] = [storeOf('redis', n, f), storeOf('lmdb', n, f)]
      const further = (kind: Kind) => storeOf(kind, n, f, 2) - storeOf(kind, n, f)
      const expected = [redis, 1.5 * redis, 3 * redis, lmdb, 2 * lmdb, further('redis'), further('lmdb')]
      expect(cells.split(' | ').map(Number)).toEqual(expected.map(upwards))
    },
  )
})

describe('the monthly checks of a machine', () => {
  const [, frames, frame, film, picture] = /= (\d+) × ([\d.]+) \+ (\d+) × ([\d.]+) = 1\.9$/m.exec(section)!
  const seconds = Number(frames) * Number(frame) + Number(film) * Number(picture)
  const rows = [...section.matchAll(/^\| (\d+) \| ([\d,]+) \| ([\d,]+) \|$/gm)]

  test('match the formula, rounded to hundreds', () => {
    expect(seconds).toBeCloseTo(1.9, 1)
    expect(rows.length).toBeGreaterThan(3)
    for (const [, cores, hour, day] of rows) {
      const inAnHour = (Number(cores) * 3600 * 0.7) / seconds
      expect(Math.abs(whole(hour!) - inAnHour)).toBeLessThan(51)
      expect(Math.abs(whole(day!) - 2.4 * inAnHour) / (2.4 * inAnHour)).toBeLessThan(0.01)
    }
  })
})

describe.each(['compose.yaml', 'ops/compose.two-servers.yaml'])('%s', (file) => {
  const text = readFileSync(file, 'utf8')
  const [, checks = '', faces = ''] = /^# Redis holds ([\d,]+) checks a month and ([\d,]+) faces/m.exec(text)!
  const most = Number(/--maxmemory \$\{REDIS_MAXMEMORY:-(\d+)gb\}/.exec(text)![1]) * gibibyte
  const container = Number(/mem_limit: \$\{REDIS_MEMORY_LIMIT:-(\d+)g\}/.exec(text)![1]) * gibibyte

  test('gives Redis the memory for a month of its stated load, and less than three times that', () => {
    const needed = storeOf('redis', whole(checks), whole(faces))
    expect(most).toBeGreaterThanOrEqual(needed)
    expect(most).toBeLessThan(3 * needed)
  })

  test('gives its container half as much again, for the rewriting of its file', () => {
    expect(container).toBeGreaterThanOrEqual(1.5 * most)
  })
})

test('allows two million checks a month on the two servers', () => {
  const text = readFileSync('ops/compose.two-servers.yaml', 'utf8')
  expect(text).toMatch(/^# Redis holds 2,000,000 checks a month/m)
})

test('states in compose.yaml the disk that the regions need for their load', () => {
  const text = readFileSync('compose.yaml', 'utf8')
  const [, checks, faces, disk] =
    /^# Each region holds ([\d,]+) checks a month and ([\d,]+) faces on (\d+) GB of disk/m.exec(text)!
  const needed = 2 * storeOf('lmdb', whole(checks!), whole(faces!))
  expect(Number(disk) * 1e9).toBeGreaterThanOrEqual(needed)
  expect(Number(disk) * 1e9).toBeLessThan(3 * needed)
})
