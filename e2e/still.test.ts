import { stillClip } from './support/acted/clips.ts'
import { createCheck, signLink, visit } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { long } from './support/length.ts'

/** An openly licensed photograph in front of the camera. These tests run everywhere, even without any footage. */
for (const motion of ['tilted', 'panned', 'held'] as const) {
  test(`a still photograph, ${motion}, fails the challenge`, long, async ({ site, browser }) => {
    const id = await createCheck(site, { liveness: { type: 'Verification', challengeType: 'Balanced' } })
    const { returned, result } = await visit(site, browser, await signLink(site, id), await stillClip(), {
      manner: 'loop',
      motion,
    })
    expect(returned).toBe('failed')
    expect(result.verificationFailedReasons).toContain('challengeFailed')
  })
}

test('without a liveness check a photograph passes, and the same face is recognised again', async ({
  site,
  browser,
}) => {
  const id = await createCheck(site, {
    age: { type: 'CalculationOnly' },
    gender: { type: 'CalculationOnly' },
    faceRecognition: { type: 'CalculationOnly' },
  })
  const faces = new Set<string | null>()
  for (let run = 0; run < 2; run++) {
    const outcome = await visit(site, browser, await signLink(site, id), await stillClip(), {
      manner: 'loop',
    })
    await site.receiver.next(outcome.result.verificationSessionId)
    expect(outcome.returned).toBe('passed')
    expect(outcome.signature).toBe('Valid')
    expect(outcome.parameters.get('reGender')).toBe('female')
    faces.add(outcome.parameters.get('reFaceId'))
  }
  expect(faces.size).toBe(1)
})
