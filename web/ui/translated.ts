/**
 * Lets the page's text change even after another program has replaced it.
 *
 * [Note: A page that is translated] Translators replace a page's text nodes with elements. Preact keeps updating the nodes that it created,
 * although they are no longer in the document. The page asks not to be translated, because it has twelve languages. If a translator
 * ignores that, a text node that changes is put back in its place, and may then be translated again.
 * @returns a function that stops this
 */
export function surviveTranslation(root: Node): () => void {
  const places = new WeakMap<Node, ChildNode>()
  const observer = new MutationObserver((records) => {
    for (const record of records)
      if (record.type === 'characterData') comeBack(record.target as Text)
      else for (const node of record.removedNodes) if (node.nodeType === node.TEXT_NODE) left(node, record)
  })

  function left(text: Node, { addedNodes, previousSibling, nextSibling }: MutationRecord): void {
    const place = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT')
    if (place === undefined || text.isConnected) return
    places.set(text, place as ChildNode)
    observer.observe(text, { characterData: true })
  }

  function comeBack(text: Text): void {
    const place = places.get(text)
    if (place === undefined || text.isConnected) return
    places.delete(text)
    if (place.isConnected) place.replaceWith(text)
  }

  observer.observe(root, { childList: true, subtree: true })
  return () => observer.disconnect()
}
