export type Tree = { readonly [key: string]: string | Tree } | readonly string[]

/** Every phrase, along with the path of its key. */
export function phrases(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}/${key}`, value] as [string, string]]
      : phrases(value, `${path}/${key}`),
  )
}

/** A phrase with its placeholders removed. */
export const bare = (text: string) => text.replace(/\{\w+\}/g, '')

/** A phrase's placeholders, sorted by name. */
export const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

/** Words that blame people, and punctuation that shouts. */
export const unfitWords =
  /[!！¡]|\bfail|\binvalid|\bfake|fehlgeschlagen|ungültig|gefälscht|échou|échec|falsch|fallid|inválid|non valid|mislukt|ongeldig|niepowodz|nieprawidł|失敗|失败|无效|無効|विफल|अमान्य/i

/** French puts no break between a word and its colon, and a narrow one before `;`, `!` and `?`. */
export const looseFrench = /[^\u202f][;!?]|[^\u00a0]:|«[^\u00a0]|[^\u00a0]»/

/** Synonyms for things that each language should call by a single word: the check, a picture, the face, the camera, the link. */
export const secondWords: Readonly<Record<string, RegExp>> = {
  es: /(?<!de )\bcaras?\b/i,
  fr: /contrôle/i,
  it: /\bcontroll[oi]\b|\bviso\b|Responsabile/,
  nl: /verstu|\bbeelden\b|\bfilmpje\b/i,
  pl: /sprawdze|\bkontrol/i,
  pt: /câmera|telefone|\b(esta|nova) ligação\b/i,
}
