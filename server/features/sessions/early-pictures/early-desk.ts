import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import type { AnalyseFilm } from '#server/features/sessions/pictures/analyse-film.ts'
import type { AnalyseFrames } from '#server/features/sessions/pictures/analyse-frames.ts'
import type { SessionPorts } from '#server/features/sessions/ports.ts'
import { type ByteBudget, createByteBudget } from '#server/platform/running/byte-budget.ts'
import { createEarlyAnalysis, type EarlyAnalysis } from './early-analysis.ts'
import { createHandedInPictures, type HandedInPictures } from './early-pictures.ts'
import type { Intakes } from './intake.ts'
import { createPulse, type Pulse } from './pulse.ts'

/** The most picture bytes that can wait for analysis, across all sessions in a process. */
const mostBytesOfProcess = 256 * 1024 * 1024

/** Accepts pictures before a step ends, analyses them, and has them judged with the step. */
export interface HandedInPart {
  readonly pictures: HandedInPictures
  readonly analysis: EarlyAnalysis
  readonly intakes: Intakes
  readonly pulse: Pulse
  readonly budget: ByteBudget
}

interface Dependencies extends Pick<SessionPorts, 'store' | 'analysis' | 'onEarlyLost'> {
  readonly intakes: Intakes
  readonly analyseFrames: AnalyseFrames
  readonly analyseFilm: AnalyseFilm
  readonly evidence: Pick<Evidence, 'gather'>
}

export function createHandedIn(services: Dependencies): HandedInPart {
  const { store, intakes, evidence } = services
  const analysis = createEarlyAnalysis({
    frames: services.analyseFrames,
    film: services.analyseFilm,
    parallel: services.analysis.parallel,
    intakes,
    evidence,
    onLost: services.onEarlyLost ?? (() => undefined),
  })
  const pulse = createPulse(store)
  const pictures = createHandedInPictures({ intakes, analysis, pulse })
  return { pictures, analysis, intakes, pulse, budget: createByteBudget(mostBytesOfProcess) }
}
