/**
 * The film that a visit sends: `own`, made from the forgery's own pictures; `sparse`, with barely enough pictures to
 * count as a film; `none`; or one that shows nothing useful: `dark`, `flat` (a single grey) or `repeated` (its first
 * picture throughout).
 */
export const filmKinds = ['own', 'sparse', 'none', 'dark', 'flat', 'repeated'] as const
export type FilmKind = (typeof filmKinds)[number]
