import { frameOf } from '../../tests/support/drawn/fake-picture.ts'
import { hasSharedData, readShared, readTable, spreadOver } from '../../tests/support/shared-data.ts'
import { astronaut, bytesOf } from '../../tests/support/upload.ts'
import type { Form } from './product.ts'

/** A person whose face is indexed, with a picture in the form of a request body. */
export interface Person {
  readonly name: string
  image(): { bytes: string }
}

const drawnPeople = 32
const photographed = 8

/** People with distinguishable faces: drawn or photographed ones (only one without the shared pictures). */
export function peopleFor(form: Form): readonly Person[] {
  if (form === 'drawn') return drawn()
  if (!hasSharedData) return [{ name: 'astronaut', image: () => bytesOf(astronaut) }]
  return photographsOf(photographed).map(([name, photograph]) => {
    const image = bytesOf(photograph)
    return { name, image: () => image }
  })
}

/** One photograph each of `count` people, the same ones each time; base64. */
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
