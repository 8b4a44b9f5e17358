import { describe, expect, test } from 'vitest'
import { Figures } from '#lab/evaluate/figures.ts'
import { scoredRecording } from '#lab/evaluate/liveness/liveness-figures.ts'
import { addGrid } from '#lab/evaluate/liveness/liveness-grid.ts'
import { addPictures } from '#lab/evaluate/liveness/liveness-pictures.ts'
import { addRecordings } from '#lab/evaluate/liveness/liveness-recordings.ts'
import { momentsOf } from '#lab/evaluate/running/clips.ts'
import { type JudgedPicture, judgedOf } from '#lab/evaluate/running/judged-picture.ts'
import { type Face, fairFaces, type Recording } from '#lab/evaluate/running/recordings.ts'
import type { FaceAnalysis } from '#models/rules/analysis.ts'

const face = (score: number, yaw = 0): FaceAnalysis =>
  ({
    pose: { yaw, pitch: 0, roll: 0 },
    box: { x: 0, y: 0, width: 200, height: 200 },
    quality: { sharpness: 50 },
    live: { raw: score, blurred: score },
  }) as FaceAnalysis

const live = (subject: string) => ({ file: `${subject}-live`, label: 'live', subject })
const spoof = (subject: string, attack_type: string) => ({
  file: `${subject}-${attack_type}`,
  label: 'spoof',
  attack_type,
  subject,
})
const valuesOf = (figures: Figures) => Object.fromEntries(figures.all.map(({ name, value }) => [name, value]))

describe('the figures of pictures', () => {
  const judged: JudgedPicture[] = [
    judgedOf(live('a'), face(0.9)),
    judgedOf(live('b'), face(0.8)),
    judgedOf(live('c'), undefined),
    judgedOf(live('d'), face(0.1)),
    judgedOf(spoof('a', 'photo'), face(0)),
    judgedOf(spoof('b', 'photo'), undefined),
    judgedOf(spoof('a', 'video'), face(0.85)),
    judgedOf(spoof('b', 'video'), face(0.05)),
  ]
  const figures = new Figures()
  addPictures(figures, judged)

  test('count the errors by hand', () => {
    expect(valuesOf(figures)).toMatchObject({
      apcer: 0.5,
      'apcer.photo': 0,
      'apcer.video': 0.5,
      bpcer: 0.5,
      acer: 0.5,
      noFace: 0.25,
    })
  })

  test('rank by score, with pictures without a face last', () => {
    // Of 16 pairs: 0.9 wins 4, 0.8 wins 3, 0.1 wins 3, none ties with two zeros.
    expect(figures.get('auc')!.value).toBeCloseTo((4 + 3 + 3 + 1) / 16)
  })

  test('have no ACER without attacks', () => {
    const people = new Figures()
    addPictures(people, judged.slice(0, 4))
    expect(people.get('acer')).toBeUndefined()
    expect(people.get('bpcer')!.value).toBe(0.5)
  })
})

describe('the figures of recordings', () => {
  const recording = (row: ReturnType<typeof live>, ...faces: Face[]): Recording => ({
    row,
    kind: 'clip',
    faces,
    frames: [],
  })

  test('refuse a recording without a face, and count each kind of attack', () => {
    const figures = new Figures()
    const seen = [
      recording(live('a'), face(0.99), face(0.99)),
      recording(live('b'), undefined),
      recording(spoof('a', 'video'), face(0), face(0.1)),
      recording(spoof('b', 'mask'), face(0.99)),
    ]
    addRecordings(figures, seen.map(scoredRecording))
    expect(valuesOf(figures)).toEqual({
      apcerClips: 1,
      'apcerClips.video': 0,
      'apcerClips.mask': 1,
      bpcerClips: 0.5,
    })
  })

  test('contain no names', () => {
    const figures = new Figures()
    addRecordings(figures, [scoredRecording(recording(live('somebody'), face(0.99)))])
    expect(JSON.stringify(figures)).not.toContain('somebody')
  })

  test('report the worst points of the grid', () => {
    const at = (perturbation: string, attack: number, person: number) => [
      { perturbation, row: spoof('a', 'video'), faces: [face(attack)] },
      { perturbation, row: live('a'), faces: [face(person)] },
    ]
    const figures = new Figures()
    addGrid(figures, [...at('plain', 0, 1), ...at('noise 14', 1, 1), ...at('blur 3', 0, 0)])
    expect(valuesOf(figures)).toMatchObject({
      worstApcerClips: 1,
      worstBpcerClips: 1,
      'grid.noise-14.apcerClips.video': 1,
      'grid.noise-14.bpcerClips': 0,
      'grid.blur-3.apcerClips.video': 0,
      'grid.blur-3.bpcerClips': 1,
    })
  })

  test('count living people who are asked again separately from those who are refused', () => {
    const figures = new Figures()
    const noisy = { ...face(0), live: { raw: 0, blurred: 0, noise: 9 } } as FaceAnalysis
    addGrid(figures, [
      { perturbation: 'noise 25', row: live('a'), faces: [noisy] },
      { perturbation: 'noise 25', row: live('b'), faces: [face(0)] },
      { perturbation: 'noise 25', row: spoof('a', 'photo'), faces: [noisy] },
    ])
    expect(valuesOf(figures)).toMatchObject({
      'grid.noise-25.askedAgain': 0.5,
      'grid.noise-25.bpcerClips': 1,
      'grid.noise-25.apcerClips.photo': 0,
    })
    expect(figures.get('grid.noise-25.bpcerClips')!.n).toBe(1)
  })
})

test('ignore frames far from the straight look', () => {
  expect(fairFaces([face(1), face(1, 2), undefined, face(1, 30)])).toHaveLength(2)
})

describe('the moments of a clip', () => {
  test.each([
    [2, 24, 8],
    [60, 24, 24],
    [0.1, 24, 1],
  ])('of %d s, at most %d, are %d within it', (seconds, most, count) => {
    const moments = momentsOf(seconds, most)
    expect(moments).toHaveLength(count)
    expect(Math.min(...moments)).toBeGreaterThan(0)
    expect(Math.max(...moments)).toBeLessThan(seconds)
  })
})
