/**
 * What is sent along as the thin film of a visit: `own`, a film of the forgery's own pictures; `sparse`, so few of these that
 * they just make a film; `none`; or a film that is there and tells nothing: `dark`, `flat` (one grey) or `repeated` (its first
 * picture over and over).
 */
export const filmKinds = ['own', 'sparse', 'none', 'dark', 'flat', 'repeated'] as const
export type FilmKind = (typeof filmKinds)[number]
