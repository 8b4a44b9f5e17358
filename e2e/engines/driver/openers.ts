import type { Engine, EngineName } from './engine.ts'
import { openFirefox } from './firefox.ts'
import { openWebkit } from './webkit.ts'

/** How each engine is started. */
export const openers: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  firefox: openFirefox,
  webkit: openWebkit,
}
