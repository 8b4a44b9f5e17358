import { afterAll, vi } from 'vitest'
import { sayNothing, shownEvidence } from './shown-evidence.ts'

// Stands before each file of tests that shares its process with others: with a stand-in of its own, each would need the whole server anew.
vi.mock('#models/rules/liveness/evidence/assurance.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#models/rules/liveness/evidence/assurance.ts')>()
  const assuranceOf: typeof actual.assuranceOf = (shown) =>
    actual.assuranceOf({ ...shown, ...shownEvidence.shown })
  return { ...actual, assuranceOf }
})
vi.mock('#models/rules/liveness/evidence/demanded.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#models/rules/liveness/evidence/demanded.ts')>()
  const isEvidenceMissing: typeof actual.isEvidenceMissing = (shown) =>
    shownEvidence.isMissing ?? actual.isEvidenceMissing(shown)
  const isEvidenceSilent: typeof actual.isEvidenceSilent = (cues) =>
    shownEvidence.isMissing === undefined && actual.isEvidenceSilent(cues)
  const isFilmForeign: typeof actual.isFilmForeign = (visit) =>
    shownEvidence.isMissing === undefined && actual.isFilmForeign(visit)
  return { ...actual, isEvidenceMissing, isEvidenceSilent, isFilmForeign }
})
afterAll(sayNothing)
