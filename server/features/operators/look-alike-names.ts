import unhomoglyph from 'unhomoglyph'

/** Not seen by whoever reads a name. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/**
 * The skeleton of UTS 39: two texts with the same one look alike. The table of confusable characters is Unicode's (13.0), as the package
 * carries it.
 */
function skeletonOf(text: string): string {
  return unhomoglyph(text.normalize('NFD').replace(ignorable, '')).normalize('NFD')
}

function plain(name: string): string {
  return name.normalize('NFKC').replace(ignorable, '').trim().replace(/\s+/g, ' ')
}

/**
 * Whether two names of people would be taken for one another: whatever the case, the spaces and what is not seen, and by letters that look alike.
 * [Note: Case changes the look] `I` is like `l`, `i` is not: both are compared as they stand, and in small letters.
 */
export function looksLike(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)]
  const small = (text: string) => skeletonOf(text.toLowerCase())
  const standing = (text: string) => skeletonOf(text).toLowerCase()
  return small(a) === small(b) || standing(a) === standing(b)
}
