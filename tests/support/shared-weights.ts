import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Networks that operators may install, in the form in which they are published. */
export const sharedWeights = resolve(import.meta.dirname, '../../../shared/weights')
export const hasSharedWeights = existsSync(sharedWeights)
/** A suffix for the names of tests that are skipped without them. */
export const needsSharedWeights = hasSharedWeights ? '' : ' (needs ../shared/weights, which is absent)'
