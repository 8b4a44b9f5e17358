import { momentary, type Surrounding, scripted } from './surrounding.ts'

/** Replaces each text with nested elements, as browsers do when they translate a page. */
function translate(tag: string): void {
  const replace = (node: Node) => {
    if (node.nodeType === Node.ELEMENT_NODE && new RegExp(`^(${tag}|SCRIPT|STYLE)$`, 'i').test(node.nodeName))
      return
    if (node.nodeType !== Node.TEXT_NODE) {
      for (const child of [...node.childNodes]) replace(child)
      return
    }
    if (node.textContent?.trim() === '' || node.parentNode === null) return
    if (node.parentElement?.closest(tag)) return // another program has only moved it
    const [outer, inner] = [document.createElement(tag), document.createElement(tag)]
    inner.textContent = node.textContent
    outer.append(inner)
    ;(node as ChildNode).replaceWith(outer)
  }
  const root = document.getElementById('app')
  if (root === null) return
  replace(root)
  new MutationObserver((records) => {
    for (const { addedNodes, target, type } of records)
      if (type === 'characterData') replace(target)
      else for (const node of addedNodes) replace(node)
  }).observe(root, { subtree: true, childList: true, characterData: true })
}

/** Wraps every text in place, as programs do that read a page aloud. */
function readAlong(tag: string): void {
  const wrap = (node: Node) => {
    if (new RegExp(`^(${tag}|SCRIPT|STYLE)$`, 'i').test(node.nodeName)) return
    if (node.nodeType !== Node.TEXT_NODE) {
      for (const child of [...node.childNodes]) wrap(child)
      return
    }
    if (node.textContent?.trim() === '' || node.parentElement?.closest(tag)) return
    const place = document.createElement(tag)
    ;(node as ChildNode).replaceWith(place)
    place.append(node)
  }
  const root = document.getElementById('app')
  if (root === null) return
  wrap(root)
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) wrap(node)
  }).observe(root, { subtree: true, childList: true })
}

/** A program that goes on after a reload. */
function onEveryPage(name: string, run: (tag: string) => void, tag: string): Surrounding {
  return momentary('browser', name, 'consent', async (page) => {
    page.on('load', () => page.evaluate(run, tag).catch(() => undefined)) // the page was left
    await page.evaluate(run, tag)
  })
}

export const translated = onEveryPage('a translation of the page', translate, 'font')
export const translatedByElements = onEveryPage('a translation by own elements', translate, 'ya-tr-span')
export const readAloud = onEveryPage('a program that reads aloud', readAlong, 'mark')

/** Adds elements next to the page's and removes them again, as form fillers do. */
export const helped = scripted('browser', 'a program that adds elements', () => {
  const help = () => {
    for (const old of document.querySelectorAll('.helper')) old.remove()
    for (const one of document.querySelectorAll('#app button, #app h1, #app main')) {
      const icon = Object.assign(document.createElement('span'), { className: 'helper', textContent: '✓' })
      icon.style.position = 'absolute'
      one.prepend(icon)
      one.setAttribute('data-helper', '')
    }
  }
  addEventListener('load', () => setInterval(help, 700))
})
