import type { Recognition } from '#server/features/recognition/recognition.ts'
import { createDeletePerson, type DeletePerson, type ErasurePlaces } from './person-erasure.ts'
import { createExportPerson, type ExportPerson, type ExportSources } from './person-export.ts'

/** A person's legal rights: to receive all stored data, and to have it deleted. */
export interface Privacy {
  readonly deletePerson: DeletePerson
  readonly exportPerson: ExportPerson
}

type Dependencies = Omit<ErasurePlaces, 'removeFaces'> &
  Omit<ExportSources, 'access'> & { readonly recognition: Recognition }

export function createPrivacy({ recognition, ...services }: Dependencies): Privacy {
  const { access, removeByExternalId: removeFaces } = recognition
  return {
    deletePerson: createDeletePerson({ ...services, removeFaces }),
    exportPerson: createExportPerson({ ...services, access }),
  }
}
