/**
 * What is sent along as the thin film of a visit: `own`, a film of the forgery's own pictures; `sparse`, so few of these that
 * they just make a film; `none`; a film that is there and tells nothing: `dark`, `flat` (one grey) or `repeated` (its first
 * picture over and over); `noisy`, that picture with a camera's noise; or a film of another person: `other`, of the next one whom the instrument
 * shows, `otherNoisy`, one picture of that person with noise, and `living`, of a living person who does the same.
 */
export const filmKinds = [
  'own',
  'sparse',
  'none',
  'dark',
  'flat',
  'repeated',
  'noisy',
  'other',
  'otherNoisy',
  'living',
] as const
export type FilmKind = (typeof filmKinds)[number]

const ofOthers: readonly FilmKind[] = ['other', 'otherNoisy', 'living']

/** True if the film shows another person than the frames. */
export function showsAnother(film: FilmKind): boolean {
  return ofOthers.includes(film)
}
