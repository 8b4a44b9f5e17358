/**
 * Copies text, returning false on failure. In-app browsers often lack a clipboard API or refuse access to it, but may still copy a
 * selection. Do not report success before this resolves.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/** A fallback that uses a hidden field. It is placed inside the open dialog, because everything outside is inert. */
function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true // keeps the on-screen keyboard closed
  Object.assign(field.style, { position: 'fixed', insetBlockStart: '0', opacity: '0' })
  const place = focused?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
