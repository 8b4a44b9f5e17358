import { frameOf } from '../../tests/support/drawn/fake-picture.ts'
import { hasSharedData, readShared, readTable, spreadOver } from '../../tests/support/shared-data.ts'
import { astronaut, bytesOf } from '../../tests/support/upload.ts'
import type { Form } from './product.ts'

/** A person whose face gets indexed, with a picture that can be put in a request body. */
export interface Person {
  readonly name: string
  image(): { bytes: string }
}

const drawnPeople = 32
const photographed = 8

/** People with distinguishable faces, either drawn or photographed (only one of them without the shared pictures). */
export function peopleFor(form: Form): readonly Person[] {
  if (form === 'drawn') return drawn()
  if (!hasSharedData) return [{ name: 'astronaut', image: () => bytesOf(astronaut) }]
  return photographsOf(photographed).map(([name, photograph]) => {
    const image = bytesOf(photograph)
    return { name, image: () => image }
  })
}

/** One photograph for each of `count` people, in base64. They are always the same people. */
export function picturesOfPeople(count: number): string[] {
  return photographsOf(count).map(([, photograph]) => photograph.toString('base64'))
}

function photographsOf(count: number): (readonly [name: string, photograph: Buffer])[] {
  const fileOf = new Map<string, string>()
  for (const { identity = '', file = '' } of readTable('recognition', 'lfw', 'labels.csv'))
    if (!fileOf.has(identity)) fileOf.set(identity, file)
  return spreadOver([...fileOf], count).map(([name, file]) => [name, readShared('recognition', 'lfw', file)])
}

function drawn(): Person[] {
  return Array.from({ length: drawnPeople }, (_, i) => String(i)).map((person) => ({
    name: `person ${person}`,
    image: () => ({ bytes: frameOf({ person }).bytes }),
  }))
}
