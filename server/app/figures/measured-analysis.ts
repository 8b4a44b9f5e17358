import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import { inSpan } from '#server/platform/running/trace-context.ts'
import type { AnalysisOutcome } from '#server/platform/telemetry/figures/metrics.ts'
import { Problem } from '#shared/problem.ts'

/** Wraps an analysis to report each picture's outcome. `underWay` counts the pictures being analysed or waiting. */
export function measured<A extends AnalysisService>(
  analysis: A,
  tell: (outcome: AnalysisOutcome, durationInSeconds: number) => void,
): A & { underWay(): number } {
  let underWay = 0

  async function analyse(...request: Parameters<AnalysisService['analyse']>) {
    const started = performance.now()
    let outcome: AnalysisOutcome = 'failed'
    const attributes = { 'selfsame.queue': underWay }
    underWay++
    return inSpan('analysis', { attributes }, async (report) => {
      try {
        const found = await analysis.analyse(...request)
        outcome = 'done'
        return found
      } catch (error) {
        if (error instanceof Problem && error.code === 'overloaded') outcome = 'rejected'
        throw error
      } finally {
        underWay--
        report.add({ 'selfsame.status': outcome })
        tell(outcome, (performance.now() - started) / 1000)
      }
    })
  }

  return { ...analysis, analyse, underWay: () => underWay }
}
