import { describe, expect, test } from 'vitest'
import { nearName, nearPath } from '#shared/near-name.ts'

describe('the near name', () => {
  test.each([
    // (a) case, `_` and `-`
    ['externalID', 'externalId'],
    ['external_id', 'externalId'],
    ['EXTERNAL-ID', 'externalId'],
    // (b) a third of the longer one
    ['externlId', 'externalId'],
    ['faceMatchTreshold', 'faceMatchThreshold'],
    ['imag', 'image'],
    // (c) words in common
    ['threshold', 'faceMatchThreshold'],
    ['maxFaces', 'maxFaceCount'],
    ['maxFaceCountPerImage', 'maxFaceCount'],
  ])('of %s is %s', (name, near) => {
    expect(nearName(name, ['image', 'faceMatchThreshold', 'externalId', 'maxFaceCount'])).toBe(near)
  })

  test.each([
    ['locale', ['testOutcome', 'externalId', 'collectionId']],
    ['colour', ['image', 'collectionId']],
    ['faceMaxCount', ['matchThreshold']],
    ['img', ['image']],
    ['', ['image']],
    ['x'.repeat(101), ['x'.repeat(100)]],
  ])('of %s is none of %j', (name, known) => {
    expect(nearName(name, known)).toBeUndefined()
  })

  test('is the closest one, and none if two are equally close', () => {
    expect(nearName('image1', ['image12', 'image', 'image123'])).toBeUndefined()
    expect(nearName('image1', ['image1234', 'image', 'mage'])).toBe('image')
    expect(nearName('Id', ['faceId', 'collectionId'])).toBe('faceId')
  })

  test('finds a name of 100 characters among many in a moment', () => {
    const known = Array.from({ length: 100 }, (_, i) => `${'aB'.repeat(45)}${i}`)
    const start = performance.now()
    nearName('cD'.repeat(50), known)
    expect(performance.now() - start).toBeLessThan(500)
  })
})

describe('the near path', () => {
  const served = [
    '/v1/face/search',
    '/v1/face/search-or-index',
    '/v1/face-verification/detect-faces',
    '/v1/collection/get',
    '/api/v1/verify/get-token',
  ]

  test.each([
    ['/v1/face/serch', '/v1/face/search'],
    ['/face/search', '/v1/face/search'],
    ['/api/v1/face/search', '/v1/face/search'],
    ['/v1/faces/Search/', '/v1/face/search'],
    ['/v1/detect-faces', '/v1/face-verification/detect-faces'],
    ['/v1/verify/get-token', '/api/v1/verify/get-token'],
  ])('of %s is %s', (path, near) => {
    expect(nearPath(path, served)).toBe(near)
  })

  test.each(['/', '/v1', '/wp-login.php', '/v1/orders/list', `/v1/face/search${'h'.repeat(120)}`])(
    'of %s is none',
    (path) => {
      expect(nearPath(path, served)).toBeUndefined()
    },
  )
})
