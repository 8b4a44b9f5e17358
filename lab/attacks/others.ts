import { type FilmKind, showsAnother } from './films.ts'
import type { Subject } from './forgery.ts'
import { playerOf } from './instruments/filmed.ts'
import { recordings } from './instruments/recorded.ts'
import type { Materials } from './people/materials.ts'

/** More sessions than any person has. */
const apart = 1000

/** Adds another person's film to each subject if this kind of film requires one. */
export async function withFilmsOfOthers(
  materials: Materials,
  film: FilmKind,
  subjects: readonly Subject[],
): Promise<readonly Subject[]> {
  if (!showsAnother(film)) return subjects
  const others = film === 'living' ? await livingSubjects(materials) : subjects
  return subjects.map((subject, i) => {
    const other = [...others.slice((i % others.length) + 1), ...others].find(
      ({ name }) => name !== subject.name,
    )
    if (other === undefined) throw new Error(`A film of kind ${film} needs a second person.`)
    return {
      name: subject.name,
      // A person may lend films to several others, so each one gets a different film, since a film can only be used for one visit.
      forge: (session) => ({ ...subject.forge(session), other: other.forge(session + (i + 1) * apart) }),
    }
  })
}

async function livingSubjects(materials: Materials): Promise<Subject[]> {
  return (await recordings(materials)).flatMap((footage) => playerOf(footage) ?? [])
}
