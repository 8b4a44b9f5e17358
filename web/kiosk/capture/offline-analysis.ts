import { effect, type ReadonlySignal, untracked } from '@preact/signals'
import * as Comlink from 'comlink'
import type { KioskConfiguration } from '#shared/contract/kiosk/kiosk-device.ts'
import type { AnalysisHosts } from '#web/capture/analysis/analysis-host.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import type { KioskStatus } from '#web/kiosk/core/kiosk.ts'
import type { Pairing } from '#web/kiosk/core/kiosk-store.ts'
import type { Analysis, OfflineDecision, OfflineEvidence, OfflineRules, Wanted } from '#workers/api.ts'

/** Looks at the pictures of a capture, on this device. @throws where the worker does not manage */
export interface OfflineAnalysis {
  /** Pictures at rest: whatever the answer needs of them. */
  atRest(pictures: readonly Picture[], withAge: boolean): Promise<Analysis[]>
  /** Pictures of an action: whatever tells whether it was performed. */
  acting(pictures: readonly Picture[]): Promise<Analysis[]>
  decide(evidence: OfflineEvidence): Promise<OfflineDecision>
}

/** The analysis by the worker that also follows the camera: between two steps it is idle. */
export function createOfflineAnalysis(
  hosts: AnalysisHosts,
  configuration: KioskConfiguration,
): OfflineAnalysis {
  const { verifiers } = configuration.capturePlan
  const look = async (pictures: readonly Picture[], wanted: Wanted) => {
    const host = hosts.current()
    const seen: Analysis[] = []
    for (const { bytes } of pictures) {
      const bitmap = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]))
      seen.push(await host.within(host.api.analyse(Comlink.transfer(bitmap, [bitmap]), wanted)))
    }
    return seen
  }
  return {
    atRest: (pictures, withAge) =>
      look(pictures, {
        ...(verifiers.liveness ? { liveness: 'full' as const } : {}),
        ...(withAge && verifiers.age ? { demographic: 'light' as const } : {}),
        expression: 'light',
      }),
    acting: (pictures) => look(pictures, { expression: 'light', eyes: true }),
    async decide(evidence) {
      const host = hosts.current()
      return host.within(host.api.decideOffline(evidence))
    },
  }
}

/** Loads what a visit may need, as soon as the kiosk is ready for one. */
export function warmWhenReady(
  status: ReadonlySignal<KioskStatus>,
  pairing: () => Pairing | undefined,
  hosts: AnalysisHosts,
): void {
  effect(() => {
    if (status.value.kind !== 'ready') return
    const { configuration } = untracked(pairing)!
    const host = hosts.current()
    host.within(host.api.prepare(wantedEver(configuration))).catch(() => {}) // a visit finds out, and says so
  })
}

function wantedEver({ capturePlan }: KioskConfiguration): Wanted {
  const { liveness, age } = capturePlan.verifiers
  return {
    ...(liveness ? { liveness: 'full' as const, eyes: true } : {}),
    ...(age ? { demographic: 'light' as const } : {}),
    expression: 'light',
  }
}

/** The rules of the answer on the spot. */
export function offlineRulesOf(configuration: KioskConfiguration): OfflineRules {
  const { ageRule, capturePlan, failOnMultipleFaces } = configuration
  const { liveness, faceRecognition } = capturePlan.verifiers
  return { liveness, failOnMultipleFaces, age: ageRule, needsServer: faceRecognition }
}
