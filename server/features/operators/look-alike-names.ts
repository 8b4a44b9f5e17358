import unhomoglyph from 'unhomoglyph'

/** Characters that are invisible to readers. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/**
 * The UTS 39 skeleton: two texts with the same skeleton look alike. Uses Unicode's table of confusable characters (13.0)
 * from the package.
 */
function skeletonOf(text: string): string {
  return unhomoglyph(text.normalize('NFD').replace(ignorable, '')).normalize('NFD')
}

function plain(name: string): string {
  return name.normalize('NFKC').replace(ignorable, '').trim().replace(/\s+/g, ' ')
}

/**
 * True if two names could be confused: ignoring case, spaces and invisible characters, and treating look-alike letters as
 * equal. [Note: Case changes the look] `I` looks like `l`, but `i` does not, so names are compared both as written and in
 * lower case.
 */
export function looksLike(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)]
  const small = (text: string) => skeletonOf(text.toLowerCase())
  const standing = (text: string) => skeletonOf(text).toLowerCase()
  return small(a) === small(b) || standing(a) === standing(b)
}
