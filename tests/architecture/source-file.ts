import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'

/** A source file in the form that the rules require. */
export interface SourceFile {
  /** Relative to the project root, with forward slashes. */
  readonly path: string
  readonly lines: number
  readonly imports: readonly Import[]
  readonly readsEnvironment: boolean
  readonly reexportsAll: boolean
  /** True if it contains `as never`. */
  readonly castsToNever: boolean
}

export interface Import {
  /** A path in the project (`shared/problem.ts`), or a package name (`koa`, `@koa/router`, `node:fs`). */
  readonly target: string
  readonly isPackage: boolean
  /** True if the import disappears when compiled. */
  readonly isType: boolean
  /** True for `new URL('…', import.meta.url)`, which names a script to start and imports nothing. */
  readonly isAddress: boolean
}

const folders = ['shared', 'models', 'workers', 'web', 'server', 'lab', 'build', 'tests', 'e2e']

/** Caches parsed files, because several rules look at every file and parsing them all takes seconds. */
const sources = new Map<string, SourceFile>()

/** Every TypeScript file in the project, not read yet. */
export function sourcePaths(root: string): string[] {
  const inRoot = readdirSync(root).filter((name) => isSource(name))
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => isSource(name))
      .map((name) => `${folder}/${name}`),
  )
  return [...inRoot, ...inFolders]
}

function isSource(name: string): boolean {
  return /\.tsx?$/.test(name) && !name.endsWith('.d.ts')
}

export function readSource(root: string, path: string): SourceFile {
  const file = join(root, path)
  const known = sources.get(file) ?? parseSource(path, readFileSync(file, 'utf8'))
  sources.set(file, known)
  return known
}

/** Parses the text of the file at a project path. */
export function parseSource(path: string, text: string): SourceFile {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, false, kind)
  const imports: Import[] = []
  let readsEnvironment = false
  let reexportsAll = false
  let castsToNever = false
  const visit = (node: ts.Node): void => {
    const found = importOf(node, path)
    if (found !== undefined) imports.push(found)
    readsEnvironment ||= isEnvironment(node)
    reexportsAll ||= ts.isExportDeclaration(node) && node.exportClause === undefined
    castsToNever ||= ts.isAsExpression(node) && node.type.kind === ts.SyntaxKind.NeverKeyword
    ts.forEachChild(node, visit)
  }
  visit(tree)
  const lines = text.split('\n').length - 1
  return { path, lines, imports, readsEnvironment, reexportsAll, castsToNever }
}

function importOf(node: ts.Node, path: string): Import | undefined {
  if (ts.isImportDeclaration(node)) return resolved(node.moduleSpecifier, path, takesOnlyTypes(node))
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return resolved(node.moduleSpecifier, path, node.isTypeOnly)
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return resolved(node.argument.literal, path, true)
  }
  const first = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.arguments?.[0] : undefined
  if (first === undefined) return undefined
  if (ts.isCallExpression(node) && loads(node.expression)) return resolved(first, path, false)
  return ts.isNewExpression(node) && isModuleUrl(node) ? resolved(first, path, true, true) : undefined
}

function takesOnlyTypes({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const named = importClause.namedBindings
  if (importClause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false
  return named.elements.length > 0 && named.elements.every(({ isTypeOnly }) => isTypeOnly)
}

function loads(called: ts.Expression): boolean {
  const isRequire = ts.isIdentifier(called) && called.text === 'require'
  return called.kind === ts.SyntaxKind.ImportKeyword || isRequire
}

function isModuleUrl({ expression, arguments: given }: ts.NewExpression): boolean {
  const base = given?.[1]
  return (
    ts.isIdentifier(expression) &&
    expression.text === 'URL' &&
    base !== undefined &&
    ts.isPropertyAccessExpression(base) &&
    ts.isMetaProperty(base.expression)
  )
}

/** `process.env`, `process['env']`, and `env` taken from `process` or from `node:process`. */
function isEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return isProcess(node.expression) && node.name.text === 'env'
  if (ts.isElementAccessExpression(node)) return isProcess(node.expression)
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
    return node.initializer !== undefined && isProcess(node.initializer)
  }
  return ts.isImportDeclaration(node) && isText(node.moduleSpecifier, 'node:process', 'process')
}

function isProcess(node: ts.Expression): boolean {
  return (
    (ts.isIdentifier(node) && node.text === 'process') ||
    (ts.isPropertyAccessExpression(node) && node.name.text === 'process')
  )
}

function isText(node: ts.Node, ...texts: readonly string[]): boolean {
  return ts.isStringLiteralLike(node) && texts.includes(node.text)
}

function resolved(node: ts.Node, from: string, isType: boolean, isAddress = false): Import | undefined {
  if (!ts.isStringLiteralLike(node)) return undefined
  const specifier = node.text.replace(/\?.*$/, '')
  const rest = { isType, isAddress }
  if (specifier.startsWith('#')) return { target: specifier.slice(1), isPackage: false, ...rest }
  if (isAddress || specifier.startsWith('.')) {
    return { target: posix.normalize(posix.join(dirname(from), specifier)), isPackage: false, ...rest }
  }
  return { target: packageOf(specifier), isPackage: true, ...rest }
}

function packageOf(specifier: string): string {
  const builtin = specifier.startsWith('node:')
  return specifier
    .split('/')
    .slice(0, !builtin && specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
