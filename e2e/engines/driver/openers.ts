import type { Engine, EngineName } from './engine.ts'
import { openFirefox } from './firefox.ts'
import { openWebkit } from './webkit.ts'

export const openers: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  firefox: () => openFirefox(),
  webkit: openWebkit,
}
