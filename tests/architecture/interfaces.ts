import { dirname, posix } from 'node:path'
import ts from 'typescript'

/** More operations than this are two responsibilities. */
export const mostOperations = 12
/** A parameter that is an intersection of more types than this needs a named type. */
const mostIntersected = 2

interface DeclaredInterface {
  readonly path: string
  readonly name: string
  readonly operations: readonly string[]
  /** The interfaces that it extends, as `path name`. */
  readonly bases: readonly string[]
}

/**
 * Interfaces with more than 12 operations, including inherited ones, and parameters that are intersections of more than two types, as
 * `path: what`. Data members do not count, so a record of any size passes.
 */
export function wideTypesIn(texts: Readonly<Record<string, string>>): string[] {
  const declared = new Map<string, DeclaredInterface>()
  const faults: string[] = []
  for (const [path, text] of Object.entries(texts)) {
    const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, kind)
    const imported = importedNames(tree, path)
    const visit = (node: ts.Node): void => {
      if (ts.isInterfaceDeclaration(node)) {
        const one = interfaceOf(node, path, imported)
        declared.set(`${path} ${one.name}`, one)
      }
      if (ts.isParameter(node) && isWideIntersection(node.type))
        faults.push(`${path}: ${node.type!.getText()}`)
      ts.forEachChild(node, visit)
    }
    visit(tree)
  }
  for (const [key, { path, name }] of declared) {
    const count = operationsOf(key, declared).size
    if (count > mostOperations) faults.push(`${path}: ${name} has ${count} operations`)
  }
  return faults
}

function operationsOf(key: string, declared: ReadonlyMap<string, DeclaredInterface>): Set<string> {
  const { operations, bases } = declared.get(key) ?? { operations: [], bases: [] }
  return new Set([...operations, ...bases.flatMap((base) => [...operationsOf(base, declared)])])
}

function interfaceOf(
  node: ts.InterfaceDeclaration,
  path: string,
  imported: ReadonlyMap<string, string>,
): DeclaredInterface {
  const extended = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(({ expression }) => expression.getText()),
  )
  return {
    path,
    name: node.name.text,
    operations: node.members.filter(isOperation).map((member) => member.name!.getText()),
    bases: extended.map((name) => imported.get(name) ?? `${path} ${name}`),
  }
}

function isOperation(member: ts.TypeElement): boolean {
  if (ts.isMethodSignature(member)) return true
  return ts.isPropertySignature(member) && member.type !== undefined && ts.isFunctionTypeNode(member.type)
}

function isWideIntersection(type: ts.TypeNode | undefined): boolean {
  return type !== undefined && ts.isIntersectionTypeNode(type) && type.types.length > mostIntersected
}

/** The names that a file imports from this project, each as `path name` of its declaration. */
function importedNames(tree: ts.SourceFile, path: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const node of tree.statements) {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) continue
    const specifier = node.moduleSpecifier.text
    const bindings = node.importClause?.namedBindings
    if (!/^[.#]/.test(specifier) || bindings === undefined || !ts.isNamedImports(bindings)) continue
    const target = specifier.startsWith('#') ? specifier.slice(1) : posix.join(dirname(path), specifier)
    for (const { name, propertyName } of bindings.elements)
      names.set(name.text, `${target} ${(propertyName ?? name).text}`)
  }
  return names
}
