import { expect, test } from 'vitest'
import { createHeightRequests } from '#web/capture/flow/frame-height.ts'

function requests(place: 'alone' | 'frame' | 'popup' = 'frame') {
  const posted: unknown[] = []
  const request = createHeightRequests({ place, post: (message) => void posted.push(message) })
  return { posted, size: (shown: number, needed: number) => request({ shown, needed }) }
}

test('a page that is cut off requests its height, once', () => {
  const { posted, size } = requests()
  size(560, 560)
  size(560, 703.2)
  size(560, 703.2)
  expect(posted).toEqual([{ height: 704 }])
})

test('a page requests more if needed, and never less', () => {
  const { posted, size } = requests()
  size(560, 700)
  size(700, 690)
  size(700, 760)
  size(700, 730)
  expect(posted).toEqual([{ height: 700 }, { height: 760 }])
})

test('a page requests again if letters are enlarged', () => {
  const { posted, size } = requests()
  size(560, 700)
  size(700, 700)
  size(700, 1000)
  expect(posted).toEqual([{ height: 700 }, { height: 1000 }])
})

test('a screen that overflows equally in a higher frame is not pursued', () => {
  const { posted, size } = requests()
  for (const shown of [560, 560, 610, 610, 660, 660]) size(shown, shown + 50)
  expect(posted).toEqual([{ height: 610 }])
  size(660, 800)
  expect(posted).toEqual([{ height: 610 }, { height: 800 }])
})

test('no page requests more than 4,000 pixels', () => {
  const { posted, size } = requests()
  size(560, 90_000)
  size(4000, 80_000)
  expect(posted).toEqual([{ height: 4000 }])
})

test.each(['alone', 'popup'] as const)('a page that is %s asks for nothing', (place) => {
  const { posted, size } = requests(place)
  size(560, 900)
  expect(posted).toEqual([])
})
