import { engines, floorVersions, isSince } from '../shared/browsers/floors.ts'

/** A file of the built pages. */
export interface PageFile {
  readonly path: string
  readonly text: string
}

type FirstVersions = readonly [chromium: string, firefox: string, safari: string]

/** Features newer than the floor of a browser, with a pattern to detect each. Purely decorative features and those that packages detect at run time are in neither list. */
export const laterStyles: readonly (readonly [name: string, pattern: RegExp, since: FirstVersions])[] = [
  ['light-dark()', /light-dark\(/, ['123', '120', '17.5']],
  [':has()', /:has\(/, ['105', '121', '15.4']],
  ['color-mix()', /color-mix\(/, ['111', '113', '16.2']],
  [':dir()', /:dir\(/, ['120', '49', '16.4']],
  ['@starting-style', /@starting-style/, ['117', '129', '17.5']],
  ['@scope', /@scope/, ['118', '146', '17.4']],
  ['nested rules', /[;{]&/, ['112', '117', '16.5']],
  ['relative colours', /(?:rgb|hsl|oklch)\(from /, ['119', '128', '16.4']],
  ['anchors', /anchor-name:|position-anchor:/, ['125', '147', '26']],
  [':popover-open', /:popover-open/, ['114', '125', '17']],
  [':user-invalid', /:user-(?:in)?valid/, ['119', '88', '16.5']],
]

export const laterScripts: typeof laterStyles = [
  ['Promise.withResolvers', /\bwithResolvers\(/, ['119', '121', '17.4']],
  ['Promise.try', /\bPromise\.try\(/, ['128', '134', '18.2']],
  ['Array.fromAsync', /\bArray\.fromAsync\(/, ['121', '115', '16.4']],
  ['copies of arrays', /\.(?:toSorted|toReversed|toSpliced)\(/, ['110', '115', '16']],
  ['groups', /\b(?:Object|Map)\.groupBy\(/, ['117', '119', '17.4']],
  [
    'sets compared',
    /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
    ['122', '127', '17'],
  ],
  [
    'iterators',
    /\bIterator\.from\(|\.(?:values|keys|entries)\(\)\.(?:map|filter|toArray|some|every|find)\(/,
    ['122', '131', '18.4'],
  ],
  ['URL.canParse', /\bURL\.canParse\(/, ['120', '115', '17']],
  ['URL.parse', /\bURL\.parse\(/, ['126', '126', '18']],
  ['AbortSignal.any', /\bAbortSignal\.any\(/, ['116', '124', '17.4']],
  ['RegExp.escape', /\bRegExp\.escape\(/, ['136', '134', '18.2']],
  ['buffers moved', /\.transferToFixedLength\(/, ['114', '122', '17.4']],
  ['bytes of a Blob', /\.bytes\(\)/, ['132', '128', '18']],
  ['expressions with v', /[=(,]\/(?:[^/\\\n]|\\.)+\/[dgimsuy]*v[dgimsuy]*[.,;)]/, ['112', '116', '17']],
  ['popovers', /\.(?:showPopover|togglePopover)\(/, ['114', '125', '17']],
  ['view transitions', /\.startViewTransition\(/, ['111', '144', '18']],
]

/** True if a browser at the floor lacks the feature. */
export function isLater(since: FirstVersions): boolean {
  return engines.some((engine, at) => !isSince(floorVersions()[engine], since[at]!))
}

/** Uses of these features in files. Uses inside `@supports` have a fallback. */
export function usesOf(files: readonly PageFile[], later: typeof laterStyles): string[] {
  return files.flatMap(({ path, text }) => {
    const unconditional = path.endsWith('.css') ? withoutSupports(text) : text
    return later.filter(([, pattern]) => pattern.test(unconditional)).map(([name]) => `${path}: ${name}`)
  })
}

/** Styles without blocks of `@supports`. */
function withoutSupports(text: string): string {
  const start = text.indexOf('@supports')
  if (start < 0) return text
  let end = text.indexOf('{', start) + 1
  for (let depth = 1; depth > 0 && end < text.length; end++) {
    if (text[end] === '{') depth++
    if (text[end] === '}') depth--
  }
  return text.slice(0, start) + withoutSupports(text.slice(end))
}
