import { fill } from './fill.ts'
import type { Wording } from './wording.ts'

/** The words of a page inside an app: they name it, and the way out of it. */
export function wordingInside(app: string | undefined, wording: Wording): Wording {
  if (app === undefined) return wording
  const { cameraTitle, cameraText, inApp } = wording
  return {
    ...wording,
    cameraTitle: { ...cameraTitle, unsupportedApp: fill(inApp.title, { app }) },
    cameraText: { ...cameraText, unsupportedApp: fill(inApp.text, { app }) },
  }
}
