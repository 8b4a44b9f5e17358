/**
 * The film to send with a visit. `own`: a film of the forgery's own pictures. `sparse`: just enough of these to count as a film. `none`: no film.
 * Films that show nothing: `dark`, `flat` (a single grey) or `repeated` (its first picture over and over). `noisy`: that picture with camera noise.
 * Films of another person: `other` (the next person that the instrument shows), `otherNoisy` (one picture of that person with noise) or
 * `living` (a living person who performs the same actions).
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

/** True if the film shows a different person than the frames. */
export function showsAnother(film: FilmKind): boolean {
  return ofOthers.includes(film)
}
