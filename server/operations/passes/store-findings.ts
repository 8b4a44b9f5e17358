import type { Pack } from '#models/rules/packs.ts'
import { tellOfConsole } from '#server/console/opening.ts'
import {
  type UnreadableCollection,
  unreadableCollections,
} from '#server/recognition/unreadable-collections.ts'
import type { Services } from '#server/wiring.ts'
import { createLookUp } from './look-up.ts'

interface Given {
  readonly pack: Pack
  /** Whether verifications and the console are this process's. */
  readonly isConfiguration: boolean
  /** Whether a code that opens the console may be printed. */
  readonly mayPrintCode: boolean
  readonly onFailure: (error: unknown) => void
}

/** What a start tells of what is in the store. */
export async function findInStore(services: Services, given: Given) {
  const { pack, isConfiguration, mayPrintCode, onFailure } = given
  const { accounts, recognition, verifications } = services
  const lookUp = createLookUp(onFailure)
  const { embeddingModel, formerModel } = pack
  return {
    unknownNames: isConfiguration ? await lookUp(verifications.withUnknownNames, []) : [],
    adminKeyInWebhooks: await lookUp(accounts.anyWebhookCarriesAdmin, false),
    aboutConsole: isConfiguration
      ? await lookUp(() => tellOfConsole(services, mayPrintCode), undefined)
      : undefined,
    unreadable: await lookUp<readonly UnreadableCollection[]>(
      () => unreadableCollections(accounts, recognition.access, embeddingModel, formerModel),
      [],
    ),
  }
}
