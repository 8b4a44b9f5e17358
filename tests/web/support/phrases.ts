export type Tree = { readonly [key: string]: string | Tree } | readonly string[]

/** Every phrase with the path of its key. */
export function phrases(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}/${key}`, value] as [string, string]]
      : phrases(value, `${path}/${key}`),
  )
}

/** A phrase without the places that are filled in it. */
export const bare = (text: string) => text.replace(/\{\w+\}/g, '')

/** The places that are filled in a phrase, in the order of their names. */
export const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

/** Words that blame, and marks that shout. */
export const unfitWords =
  /[!！¡]|\bfail|\binvalid|\bfake|fehlgeschlagen|ungültig|gefälscht|échou|échec|falsch|fallid|inválid|non valid|mislukt|ongeldig|niepowodz|nieprawidł|失敗|失败|无效|無効|विफल|अमान्य/i
