import { effect, type ReadonlySignal, untracked } from '@preact/signals'
import * as Comlink from 'comlink'
import type { KioskConfiguration } from '#shared/contract/kiosk/kiosk-device.ts'
import type { AnalysisHosts } from '#web/capture/analysis/analysis-host.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import type { KioskStatus } from '#web/kiosk/core/kiosk.ts'
import type { Pairing } from '#web/kiosk/core/kiosk-store.ts'
import type {
  Analysis,
  AnalysisStages,
  OfflineDecision,
  OfflineEvidence,
  OfflineRules,
} from '#workers/api.ts'

/** Analyses a capture's pictures on this device. @throws if the worker fails */
export interface OfflineAnalysis {
  /** Analyses pictures taken at rest, including everything that the answer depends on. */
  atRest(pictures: readonly Picture[], withAge: boolean): Promise<Analysis[]>
  /** Analyses pictures of an action, to judge whether the person performed it. */
  acting(pictures: readonly Picture[]): Promise<Analysis[]>
  decide(evidence: OfflineEvidence): Promise<OfflineDecision>
}

/** Uses the same worker that follows the camera, because it is idle between steps. */
export function createOfflineAnalysis(
  hosts: AnalysisHosts,
  configuration: KioskConfiguration,
): OfflineAnalysis {
  const { verifiers } = configuration.capturePlan
  const look = async (pictures: readonly Picture[], wanted: AnalysisStages) => {
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

/** Loads a visit's networks as soon as the kiosk is ready for visitors. */
export function warmWhenReady(
  status: ReadonlySignal<KioskStatus>,
  pairing: () => Pairing | undefined,
  hosts: AnalysisHosts,
): void {
  effect(() => {
    if (status.value.kind !== 'ready') return
    const { configuration } = untracked(pairing)!
    const host = hosts.current()
    host.within(host.api.prepare(wantedEver(configuration))).catch(() => {}) // the next visit reports the error
  })
}

function wantedEver({ capturePlan }: KioskConfiguration): AnalysisStages {
  const { liveness, age } = capturePlan.verifiers
  return {
    ...(liveness ? { liveness: 'full' as const, eyes: true } : {}),
    ...(age ? { demographic: 'light' as const } : {}),
    expression: 'light',
  }
}

/** The rules for the immediate answer. */
export function offlineRulesOf(configuration: KioskConfiguration): OfflineRules {
  const { ageRule, capturePlan, failOnMultipleFaces } = configuration
  const { liveness, faceRecognition } = capturePlan.verifiers
  return { liveness, failOnMultipleFaces, age: ageRule, needsServer: faceRecognition }
}
