import ts from 'typescript'

/** How other files refer to endpoints. */
export interface EndpointWords {
  readonly names: ReadonlySet<string>
  readonly paths: ReadonlySet<string>
}

/**
 * Places where a file states facts about endpoints by name or path that belong on the endpoints themselves:
 * in a list, in a table whose values are not handlers, or in a comparison with a name. A single path literal counts
 * as well.
 */
export function endpointListsIn(path: string, text: string, words: EndpointWords): readonly string[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node) && countOf(node.elements, (one) => isWord(one, words)) > 1)
      found.push(`list: ${shortened(node)}`)
    if (ts.isObjectLiteralExpression(node) && countOf(node.properties, (one) => isFact(one, words)) > 1)
      found.push(`table: ${shortened(node)}`)
    if (
      ts.isBinaryExpression(node) &&
      isEquality(node) &&
      [node.left, node.right].some((side) => isName(side, words))
    )
      found.push(`question: ${shortened(node)}`)
    if (ts.isStringLiteralLike(node) && words.paths.has(node.text)) found.push(`path: ${node.text}`)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function countOf<T>(all: readonly T[], is: (one: T) => boolean): number {
  return all.filter(is).length
}

function isName(node: ts.Node, { names }: EndpointWords): boolean {
  return ts.isStringLiteralLike(node) && names.has(node.text)
}

/** An endpoint's name as a string, or the endpoint itself. */
function isWord(node: ts.Node, words: EndpointWords): boolean {
  return isName(node, words) || (ts.isIdentifier(node) && words.names.has(node.text))
}

/**
 * A member that has an endpoint's name but is not a handler. Handlers are functions, are created by a call inside a
 * function, or are a member of another object.
 */
function isFact(property: ts.ObjectLiteralElementLike, { names, paths }: EndpointWords): boolean {
  if (!ts.isPropertyAssignment(property)) return false
  const name = ts.isComputedPropertyName(property.name) ? '' : property.name.text
  if (!names.has(name) && !paths.has(name)) return false
  const { initializer: value } = property
  if (ts.isCallExpression(value)) return !isInFunction(property)
  return (
    !ts.isFunctionExpression(value) && !ts.isArrowFunction(value) && !ts.isPropertyAccessExpression(value)
  )
}

function isInFunction(node: ts.Node): boolean {
  return node.parent !== undefined && (ts.isFunctionLike(node.parent) || isInFunction(node.parent))
}

function isEquality({ operatorToken }: ts.BinaryExpression): boolean {
  const { EqualsEqualsEqualsToken, ExclamationEqualsEqualsToken } = ts.SyntaxKind
  return [EqualsEqualsEqualsToken, ExclamationEqualsEqualsToken].includes(operatorToken.kind as never)
}

function shortened(node: ts.Node): string {
  return node.getText().replace(/\s+/g, ' ').slice(0, 80)
}
