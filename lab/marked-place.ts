/**
 * Replaces what a page has between `<!-- mark -->` and the next `<!-- end -->`, so that a page can hold generated lines among written ones.
 * @throws if the page has no such place
 */
export function withMarkedPlace(page: string, mark: string, lines: string, file: string): string {
  const place = new RegExp(`(<!-- ${mark} -->\\n)[\\s\\S]*?(<!-- end -->)`)
  if (!place.test(page)) throw new Error(`${file} has no place for ${mark}`)
  return page.replace(place, (_, before: string, after: string) => `${before}${lines}\n${after}`)
}
