import type { Defence } from './defence.ts'
import { analysisDefences } from './list/analysis.ts'
import { callerDefences } from './list/callers.ts'
import { consoleDefences } from './list/console.ts'
import { httpDefences } from './list/http.ts'
import { operationDefences } from './list/operation.ts'
import { sessionDefences } from './list/sessions.ts'
import { storageDefences } from './list/storage.ts'

/** Every defence that docs/asvs.md and docs/security.md claim. */
export const defences: readonly Defence[] = [
  ...httpDefences,
  ...callerDefences,
  ...consoleDefences,
  ...sessionDefences,
  ...analysisDefences,
  ...storageDefences,
  ...operationDefences,
]
