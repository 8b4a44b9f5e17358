import { readShared, readTable, spreadOver } from '../../tests/support/shared-data.ts'

/** One picture each of so many people, the same ones each time; base64. */
export function picturesOfPeople(count: number): string[] {
  const firstOf = new Map<string, string>()
  for (const { identity, file } of readTable('recognition', 'lfw', 'labels.csv')) {
    if (!firstOf.has(identity!)) firstOf.set(identity!, file!)
  }
  return spreadOver([...firstOf.values()], count).map((file) =>
    readShared('recognition', 'lfw', file).toString('base64'),
  )
}
