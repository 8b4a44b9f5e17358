/** The oldest Node that the product starts on. `engines` in package.json names those that get fixes. */
const oldest = [20, 19]

/**
 * One sentence about a Node that is too old and its remedy; undefined otherwise. Plain JavaScript without newer syntax, because an old Node runs it.
 * @param {string} version
 */
export function sentenceForNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  return `Node ${version} is too old for Selfsame: install Node 22 or 24, and start it with that.`
}
