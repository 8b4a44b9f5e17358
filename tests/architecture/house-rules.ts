import { readFileSync } from 'node:fs'
import { faceOf, featureOf, layerOf } from './layers.ts'
import type { Import, SourceFile } from './source-file.ts'

/** A code base rule. Describes how a file violates it, or returns undefined if the file complies. */
export interface HouseRule {
  readonly name: string
  readonly refusals: (file: SourceFile) => readonly string[]
}

/** Everything that is wrong with a file, as `rule: file: what`. */
export function violationsOf(file: SourceFile): string[] {
  return houseRules.flatMap(({ name, refusals }) =>
    refusals(file).map((refusal) => `${name}: ${file.path}: ${refusal}`),
  )
}

type Matches = (file: SourceFile) => boolean

const within =
  (...prefixes: readonly string[]): Matches =>
  ({ path }) =>
    prefixes.some((prefix) => path.startsWith(prefix))

const anyOf =
  (...paths: readonly string[]): Matches =>
  ({ path }) =>
    paths.includes(path)

/** Checks each import in the matching files. */
function importRule(name: string, concerns: Matches, allows: (found: Import) => boolean): HouseRule {
  return {
    name,
    refusals: (file) =>
      concerns(file) ? file.imports.filter((found) => !allows(found)).map(({ target }) => target) : [],
  }
}

const from = ({ isPackage, target }: Import, ...prefixes: readonly string[]) =>
  !isPackage && prefixes.some((prefix) => target.startsWith(prefix))
const isData = ({ target }: Import) =>
  target === 'models/weights/manifest.json' || target.startsWith('models/weights/')
const builtin = ({ isPackage, target }: Import) => isPackage && target.startsWith('node:')
const isTop = (folder: string) => (path: string) =>
  path.startsWith(`${folder}/`) && path.split('/').length === 2

/**
 * [Note: The pool holds the other end of the wire] Starting a worker requires its carrier and the setting that silences its
 * runtime, but nothing else from workers/.
 */
const wireToWorkers = ['workers/wire.ts', 'workers/node/node-endpoint.ts', 'workers/node/native-library.ts']

const whoMayImportWhom: readonly HouseRule[] = [
  importRule('shared imports valibot only', within('shared/'), (found) =>
    found.isPackage ? found.target === 'valibot' : from(found, 'shared/'),
  ),
  importRule('models import shared only', within('models/'), (found) => from(found, 'shared/', 'models/')),
  importRule(
    'rules of models import no network and no pipeline',
    within('models/rules/'),
    (found) =>
      from(found, 'shared/', 'models/rules/', 'models/picture/', 'models/calibration/', 'models/packs/') ||
      isData(found) ||
      found.isType,
  ),
  importRule(
    'workers import shared and models',
    ({ path }) => isTop('workers')(path),
    (found) =>
      found.isPackage
        ? found.target === 'comlink'
        : from(found, 'shared/', 'models/') || isTop('workers')(found.target),
  ),
  importRule(
    'workers/onnx imports no other folder',
    within('workers/onnx/'),
    (found) => !found.isPackage && from(found, 'workers/onnx/'),
  ),
  importRule('workers/web imports no other host', within('workers/web/'), (found) =>
    found.isPackage
      ? !builtin(found) && found.target !== 'onnxruntime-node'
      : from(found, 'shared/', 'models/', 'workers/') && !from(found, 'workers/node/'),
  ),
  importRule(
    'workers/node imports no other host',
    within('workers/node/'),
    (found) =>
      found.isPackage || (from(found, 'shared/', 'models/', 'workers/') && !from(found, 'workers/web/')),
  ),
  importRule(
    'web imports shared, the rules of models and the types of workers/api',
    within('web/'),
    (found) => {
      if (found.isPackage) return !builtin(found)
      if (found.isAddress) return from(found, 'workers/web/', 'web/')
      return (
        from(found, 'shared/', 'models/rules/', 'web/') || (found.isType && found.target === 'workers/api.ts')
      )
    },
  ),
  importRule(
    'server imports shared, the rules of models and the types of workers/api',
    within('server/'),
    (found) => {
      if (found.isPackage) return true
      if (found.isAddress) return !from(found, 'web/', 'tests/', 'e2e/', 'lab/')
      if (from(found, 'shared/', 'models/rules/', 'server/')) return true
      return found.isType ? found.target === 'workers/api.ts' : wireToWorkers.includes(found.target)
    },
  ),
  importRule(
    'only the analysis pool holds the wire to the workers',
    (file) => within('server/')(file) && !within('server/features/analysis/')(file),
    ({ target }) => !wireToWorkers.includes(target),
  ),
  {
    name: 'every file of the server has its place in layers.ts',
    refusals: ({ path }) =>
      path.startsWith('server/') && layerOf(path) < 0 ? ['stands in none of its folders'] : [],
  },
  {
    name: 'lower layers of the server import no higher ones',
    refusals: ({ path, imports }) => {
      const isHigher = ({ isPackage, target }: Import) =>
        !isPackage && target.startsWith('server/') && layerOf(target) > layerOf(path)
      return path.startsWith('server/') ? imports.filter(isHigher).map(({ target }) => target) : []
    },
  },
  {
    name: 'features import only the public file of other features',
    refusals: ({ path, imports }) => {
      const isInside = ({ isPackage, isAddress, target }: Import) => {
        const feature = isPackage || isAddress ? undefined : featureOf(target)
        if (feature === undefined || feature === featureOf(path)) return false
        return target !== faceOf(feature)
      }
      return path.startsWith('server/') ? imports.filter(isInside).map(({ target }) => target) : []
    },
  },
  importRule('e2e imports shared only', within('e2e/'), (found) =>
    found.isPackage ? true : from(found, 'shared/', 'e2e/'),
  ),
  importRule(
    'no other folder imports server',
    (file) => !within('server/', 'tests/', 'lab/')(file),
    (found) => found.isAddress || !from(found, 'server/'),
  ),
  importRule(
    'no other folder imports tests',
    (file) => !within('tests/', 'lab/')(file),
    (found) => !from(found, 'tests/'),
  ),
  importRule('lab imports no page', within('lab/'), (found) => found.isAddress || !from(found, 'web/')),
  importRule(
    'no other folder imports lab',
    (file) => !within('lab/', 'tests/')(file),
    (found) => !from(found, 'lab/'),
  ),
]

/** A package that only some files may import. Tests may import it where they need it. */
function packageRule(name: string, packages: RegExp, allowed: Matches): HouseRule {
  return importRule(
    name,
    (file) => !allowed(file) && !within('tests/', 'lab/')(file),
    ({ isPackage, target }) => !isPackage || !packages.test(target),
  )
}

/** Packages that only lab/package.json depends on, so `npm ci --workspaces=false` does not install them. */
const { devDependencies: packagesOfLab } = JSON.parse(
  readFileSync(new URL('../../lab/package.json', import.meta.url), 'utf8'),
) as { devDependencies: Readonly<Record<string, string>> }

const packagesInTheirPlace: readonly HouseRule[] = [
  importRule(
    'packages of lab stay in lab',
    (file) => !within('lab/')(file),
    ({ isPackage, target }) => !isPackage || !Object.hasOwn(packagesOfLab, target),
  ),
  packageRule(
    'koa stays where requests are served',
    /^(koa|koa-.*|@koa\/.*|@types\/koa)$/,
    within('server/platform/http/', 'server/features/idempotency/', 'server/app/serving/'),
  ),
  packageRule(
    'WebAuthn has one file on the server, its statements a folder, and one file in each page',
    /^@simplewebauthn\//,
    (file) =>
      within('server/platform/web-authn/attestation/')(file) ||
      anyOf(
        'server/platform/web-authn/web-authn.ts',
        'web/capture/sending/passkey.ts',
        'web/console/core/passkey.ts',
      )(file),
  ),
  packageRule('lmdb stays in its store file', /^lmdb$/, anyOf('server/platform/store/drivers/lmdb.ts')),
  packageRule(
    'redis stays with its store',
    /^(redis|@redis\/.*)$/,
    anyOf('server/platform/store/drivers/redis.ts', 'server/platform/store/drivers/redis-connection.ts'),
  ),
  packageRule('pg stays with its store', /^pg(-.*)?$/, within('server/platform/store/drivers/postgres/')),
  importRule(
    'onnxruntime-node is loaded in one place, which silences it',
    (file) => !anyOf('workers/node/native-library.ts')(file),
    ({ target, isType }) => target !== 'onnxruntime-node' || isType,
  ),
  packageRule(
    'onnxruntime stays with the hosts of the pipeline',
    /^onnxruntime-/,
    within('workers/web/', 'workers/node/'),
  ),
]

const pureNames = /(^|\/)(verdict|redirect|query-signature|machine|performed|action-watch)\.ts$/

const habits: readonly HouseRule[] = [
  {
    name: 'the environment is read in server/app/settings.ts',
    refusals: (file) => {
      const excepted = anyOf(
        'server/app/settings.ts',
        // It sets a variable that a library reads.
        'workers/node/native-library.ts',
        'build.ts',
        'verify.ts',
        'vite.config.ts',
        'playwright.config.ts',
      )
      return file.readsEnvironment && !excepted(file) && !within('tests/', 'e2e/', 'lab/')(file)
        ? ['process.env']
        : []
    },
  },
  importRule(
    'pure files import no package',
    (file) => within('server/', 'web/', 'models/')(file) && pureNames.test(file.path),
    ({ isPackage, target }) => !isPackage || target === 'node:crypto',
  ),
  {
    name: 'no file has a meaningless name',
    refusals: ({ path }) => {
      const name = path.split('/').at(-1)!.replace(/\..*$/, '')
      const empty = /^index$|(^|-)(helpers?|utils?|managers?|common)$/.test(name)
      return empty ? [name] : []
    },
  },
  {
    name: 'no file is longer than 300 lines',
    refusals: (file) =>
      file.lines > 300 && !within('tests/', 'lab/', 'shared/contract/')(file) ? [`${file.lines} lines`] : [],
  },
  {
    name: 'nothing of the product is cast to never',
    refusals: (file) =>
      file.castsToNever && within('shared/', 'models/', 'workers/', 'web/', 'server/')(file)
        ? ['as never']
        : [],
  },
  {
    name: 'no file re-exports everything of another',
    refusals: ({ reexportsAll }) => (reexportsAll ? ['export *'] : []),
  },
]

/** The rules that `tsc -b` and the linter cannot check. */
export const houseRules: readonly HouseRule[] = [...whoMayImportWhom, ...packagesInTheirPlace, ...habits]
