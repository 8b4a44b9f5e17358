import { frameOf } from '../../tests/support/drawn/fake-picture.ts'
import { hasSharedData, readShared, readTable, spreadOver } from '../../tests/support/shared-data.ts'
import { astronaut, bytesOf } from '../../tests/support/upload.ts'
import type { Form } from './product.ts'

/** Somebody whose face is indexed, with a picture as a body carries it. */
export interface Person {
  readonly name: string
  image(): { bytes: string }
}

const drawnPeople = 32
const photographed = 8

/** People whose faces are told apart: drawn ones, or photographed ones (one alone without the shared pictures). */
export function peopleFor(form: Form): readonly Person[] {
  if (form === 'drawn') return drawn()
  if (!hasSharedData) return [{ name: 'astronaut', image: () => bytesOf(astronaut) }]
  const rows = readTable('recognition', 'lfw', 'labels.csv')
  const firstOf = new Map(rows.map(({ identity = '', file = '' }) => [identity, file]))
  return spreadOver([...firstOf], photographed).map(([name, file]) => {
    const image = bytesOf(readShared('recognition', 'lfw', file))
    return { name, image: () => image }
  })
}

function drawn(): Person[] {
  return Array.from({ length: drawnPeople }, (_, i) => String(i)).map((person) => ({
    name: `person ${person}`,
    image: () => ({ bytes: frameOf({ person }).bytes }),
  }))
}
