import { expect, test } from 'vitest'
import { canvasJpeg } from '#web/capture/analysis/pictures/canvas-jpeg.ts'

const profile = [0xff, 0xe2, 0, 4, 1, 2]
const scan = [0xff, 0xda, 0, 2, 9]

test('a picture of the film carries no description of its colours', () => {
  const jpeg = Buffer.from([0xff, 0xd8, ...profile, ...scan]).toString('base64')
  const asked: unknown[] = []
  const toDataURL = (...wanted: unknown[]) => {
    asked.push(wanted)
    return `data:image/jpeg;base64,${jpeg}`
  }
  expect([...canvasJpeg({ toDataURL } as unknown as HTMLCanvasElement, 0.8)]).toEqual([0xff, 0xd8, ...scan])
  expect(asked).toEqual([['image/jpeg', 0.8]])
})
