import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** The networks that an operator may install, as their publishers offer them. */
export const sharedWeights = resolve(import.meta.dirname, '../../../shared/weights')
export const hasSharedWeights = existsSync(sharedWeights)
/** For the name of a test that is skipped without them. */
export const needsSharedWeights = hasSharedWeights ? '' : ' (needs ../shared/weights, which is absent)'
