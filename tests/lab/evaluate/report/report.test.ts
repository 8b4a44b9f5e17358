import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Figures } from '#lab/evaluate/figures.ts'
import { jsonOf, measureAll, sourcesOf } from '#lab/evaluate/measure.ts'
import { accuracyReport } from '#lab/evaluate/report/accuracy-report.ts'
import { drawPlot } from '#lab/evaluate/report/plot-svg.ts'
import { scaleOf } from '#lab/evaluate/report/scale.ts'
import type { Task } from '#lab/evaluate/task.ts'

function measuredLandmarks(): Figures {
  const figures = new Figures()
  figures.add('nme', 0.0451, 60, { low: 0.04, high: 0.05 })
  figures.table({ title: 'By | group', columns: ['group', 'error'], rows: [['a|b', 0.04]] })
  figures.plot({
    title: 'Error & share <of faces>',
    x: { label: 'error' },
    y: { label: 'share' },
    curves: [
      {
        label: 'all',
        points: [
          [0, 0],
          [0.1, 1],
        ],
      },
    ],
  })
  return figures
}

const circumstances = { configuration: ['pipeline 1'], part: 'held-out', data: 'accuracy' } as const

describe('the accuracy report', () => {
  const { markdown, files } = accuracyReport(
    [
      { task: 'landmarks', set: 'dlib', figures: measuredLandmarks() },
      { task: 'landmarks', set: 'empty', figures: new Figures() },
    ],
    circumstances,
  )

  test('starts with what cannot be known', () => {
    expect(markdown.indexOf('## What cannot be known')).toBeLessThan(markdown.indexOf('## What was measured'))
    expect(markdown).toContain('measured on the other half')
  })

  test('lists the sets that were halved by picture', () => {
    expect(markdown).not.toContain('halved by picture')
    const [figures, nothing] = [measuredLandmarks(), new Figures()]
    const sets = [
      { task: 'landmarks', set: 'named', figures },
      { task: 'landmarks', set: 'nameless', figures, isHalvedByPicture: true },
      { task: 'landmarks', set: 'empty', figures: nothing, isHalvedByPicture: true },
    ]
    expect(accuracyReport(sets, circumstances).markdown).toContain('in both halves: nameless.')
  })

  test('shows each figure with its interval and count, and its plot', () => {
    expect(markdown).toContain('4.51 % [4 %, 5 %], n=60')
    expect(markdown).toContain('](accuracy/landmarks-dlib-1.svg)')
    expect(Object.keys(files)).toEqual(['figures.csv', 'tables.csv', 'landmarks-dlib-1.svg'])
  })

  test('has every figure and every cell of a table as CSV', () => {
    expect(files['figures.csv']).toContain('landmarks,dlib,nme,0.0451,0.0400,0.0500,60\n')
    expect(files['tables.csv']).toContain('landmarks,dlib,By | group,a|b,error,0.0400\n')
  })

  test('leaves out figures that were not measured', () => {
    expect(markdown).not.toContain('### empty')
    expect(markdown).not.toContain('## Recognition')
  })
})

describe('a plot', () => {
  test('has its words escaped and draws each curve', () => {
    const [plot] = measuredLandmarks().plots
    const svg = drawPlot(plot!)
    expect(svg).toContain('Error &amp; share &lt;of faces&gt;')
    expect(svg.match(/class="line"/g)).toHaveLength(2)
  })

  test('has round ticks that span all values', () => {
    expect(scaleOf([0.3, 9.7], false, { from: 0, to: 100 }).ticks).toEqual([0, 2, 4, 6, 8, 10])
    const scale = scaleOf([0.00002, 0.5], true, { from: 0, to: 100 })
    expect(scale.ticks).toHaveLength(6)
    expect(scale.at(1)).toBeCloseTo(100)
    expect(scale.at(0)).toBeUndefined()
    expect(scaleOf([5, 5], false, { from: 0, to: 1 }).ticks.length).toBeGreaterThan(1)
    expect(scaleOf([], false, { from: 0, to: 1 }).ticks.length).toBeGreaterThan(1)
  })
})

test('the figures of several tasks are prefixed with their task', () => {
  const measured = [{ task: 'landmarks', set: 'dlib', figures: measuredLandmarks() }]
  expect(JSON.parse(jsonOf(measured, false))).toMatchObject({ 'dlib.nme': 0.0451, 'dlib.nme.n': 60 })
  expect(JSON.parse(jsonOf(measured, true))).toHaveProperty(['landmarks.dlib.nme'])
})

test('one task runs on the named folder, several on the folders of their names', () => {
  const task = (name: string): Task => ({ name, summary: '', evaluate: async () => new Figures() })
  expect(sourcesOf([task('recognition')], '/a').map(({ folder }) => folder)).toEqual(['/a'])
  expect(sourcesOf([task('recognition'), task('emotion')], '/nowhere')).toEqual([])
})

test('a set with hardly any people in the requested half is measured whole, with a note', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-half-'))
  writeFileSync(join(folder, 'labels.csv'), 'file,subject\na.jpg,one\nb.jpg,one\n')
  let files = 0
  const task: Task = {
    name: 'any',
    summary: '',
    async evaluate({ rows }) {
      files = rows.length
      return new Figures()
    },
  }
  const [tuning, heldOut] = await Promise.all(
    (['tuning', 'held-out'] as const).map((part) =>
      measureAll([{ task, folder }], { limit: undefined, part }, {} as never, () => undefined),
    ),
  )
  expect(files).toBe(2)
  for (const [one] of [tuning!, heldOut!]) expect(one!.figures.notes).toHaveLength(1)
  rmSync(folder, { recursive: true })
})

test('a task receives the requested half, and also the whole set', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-whole-'))
  const people = Array.from({ length: 20 }, (_, i) => `${i}.jpg,person ${i}`)
  writeFileSync(join(folder, 'labels.csv'), `file,identity\n${people.join('\n')}\n`)
  const counts: number[][] = []
  const task: Task = {
    name: 'any',
    summary: '',
    async evaluate(set, _, whole) {
      counts.push([set.rows.length, whole.rows.length])
      return new Figures()
    },
  }
  for (const part of ['tuning', 'held-out'] as const)
    await measureAll([{ task, folder }], { limit: undefined, part }, {} as never, () => undefined)
  const [[tuning, all], [heldOut, allAgain]] = counts as [[number, number], [number, number]]
  expect([all, allAgain]).toEqual([20, 20])
  expect(tuning + heldOut).toBe(20)
  expect(Math.min(tuning, heldOut)).toBeGreaterThan(0)
  rmSync(folder, { recursive: true })
})
