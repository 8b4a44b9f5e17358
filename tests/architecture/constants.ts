import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A number that a file declares under a name, either as a constant or as a member of one. */
export interface Constant {
  readonly path: string
  /** A member's own name. If it is nested, the containing member's name comes first (`closer.asked`). */
  readonly name: string
  readonly value: number
  readonly isExported: boolean
}

export function readText(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Every number that a file declares by name at its top level. */
export function constantsOf(path: string, text: string): Constant[] {
  const found: Constant[] = []
  const take = (name: string, value: ts.Expression, isExported: boolean): void => {
    const plain = unwrapped(value)
    const number = numberOf(plain)
    if (number !== undefined) found.push({ path, name, value: number, isExported })
    if (!ts.isObjectLiteralExpression(plain)) return
    for (const property of plain.properties) {
      if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name)) continue
      const inner = property.name.text
      const isNested = /^(needed|asked|appear|clear)$/.test(inner)
      take(isNested ? `${name}.${inner}` : inner, property.initializer, isExported)
    }
  }
  for (const statement of parsed(path, text).statements) {
    if (!ts.isVariableStatement(statement)) continue
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer !== undefined) take(name.text, initializer, isExported)
    }
  }
  return found
}

/** The names of all functions in a file, including those assigned to constants. */
export function functionsOf(path: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) found.push(node.name.text)
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      if (ts.isArrowFunction(node.initializer)) found.push(node.name.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed(path, text))
  return found
}

function parsed(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, false)
}

function unwrapped(value: ts.Expression): ts.Expression {
  return ts.isAsExpression(value) || ts.isSatisfiesExpression(value) ? unwrapped(value.expression) : value
}

function numberOf(value: ts.Expression): number | undefined {
  if (ts.isNumericLiteral(value)) return Number(value.text.replaceAll('_', ''))
  if (!ts.isBinaryExpression(value)) return undefined
  const [left, right] = [numberOf(value.left), numberOf(value.right)]
  if (left === undefined || right === undefined) return undefined
  if (value.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right
  return value.operatorToken.kind === ts.SyntaxKind.SlashToken ? left / right : undefined
}
