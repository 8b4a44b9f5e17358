import { expect, test } from 'vitest'
import { allocatorOfImage } from '#lab/torture/allocator.ts'

test('a flood meets the allocator of the image, which returns blocks of 128 KiB or more to the system', () => {
  expect(allocatorOfImage()).toEqual({ MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' })
})
