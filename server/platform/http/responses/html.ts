/** Markup that is safe to insert into a document. */
export interface Html {
  readonly markup: string
}

type Part = Html | readonly Html[] | string

/** Builds markup. Escapes every value that is not already markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = strings.map((text, i) => text + (i < parts.length ? render(parts[i]!) : '')).join('')
  return { markup }
}

/** Inserts trusted markup unescaped. Never pass it external input. */
export function raw(markup: string): Html {
  return { markup }
}

function render(part: Part): string {
  if (typeof part === 'string') return escaped(part)
  return 'markup' in part ? part.markup : part.map((item) => item.markup).join('\n')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}
