import { expect, test } from 'vitest'
import { groupFrames } from '#lab/evaluate/liveness/frame-groups.ts'

const frame = (subject: string, label: string, attack_type = '', more = {}) => ({
  row: { file: `${subject}-${label}`, subject, label, attack_type, ...more },
})
const many = (count: number, one: ReturnType<typeof frame>) => Array.from({ length: count }, () => one)

test('frames of one person and one attack form one recording', () => {
  const pictures = [
    ...many(4, frame('a', 'live')),
    ...many(3, frame('a', 'spoof', 'photo')),
    ...many(2, frame('b', 'spoof', 'photo')),
  ]
  expect(groupFrames(pictures).map((group) => group.length)).toEqual([4, 3, 2])
})

test('sessions and instruments are separate recordings', () => {
  const pictures = [
    ...many(3, frame('a', 'spoof', 'photo', { session: '1' })),
    ...many(3, frame('a', 'spoof', 'photo', { session: '2' })),
    ...many(3, frame('a', 'spoof', 'photo', { session: '2', instrument: 'tablet' })),
  ]
  expect(groupFrames(pictures)).toHaveLength(3)
})

test('photographs, of which each person has few, are not grouped', () => {
  const pictures = [...many(2, frame('a', 'spoof', 'photo')), frame('b', 'live'), frame('c', 'live')]
  expect(groupFrames(pictures).map((group) => group.length)).toEqual([1, 1, 1, 1])
})
