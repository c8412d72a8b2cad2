/**
 * Completes package-lock.json after an install; npm runs it as the `dependencies` script.
 *
 * Native packages (a compiler, a database, an image library) have one optional package per platform. npm adds to the lock file only those
 * that the current registry has, and a mirror may have only those for this platform. `npm ci` then refuses the lock file, even here:
 * "Missing: … from lock file". This script adds an entry for each missing optional package, with the version from its parent and the
 * platform from its name. npm then finds every dependency and skips those for other platforms by `os` and `cpu`.
 *
 * Plain JavaScript, because it runs during the install, with any Node version.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const lockFile = 'package-lock.json'

/** The spelling of platforms in package names, and npm's names for them. */
const systems = ['android', 'darwin', 'freebsd', 'openharmony', 'win32', 'linux', 'netbsd', 'openbsd', 'sunos', 'aix']
const processors = {
  arm64: 'arm64',
  armhf: 'arm',
  armv7: 'arm',
  arm: 'arm',
  x64: 'x64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
  mips64el: 'mips64el',
  wasm32: 'wasm32',
}

const lock = JSON.parse(readFileSync(lockFile, 'utf8'))
const packages = lock.packages
let added = 0

for (const [parent, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isInstalledFor(parent, name)) continue
    const platform = platformOf(name)
    if (!/^\d+\.\d+\.\d+\S*$/.test(version) || !platform) {
      console.log(
        `complete-lock: ${name}@${version}, required by ${parent || 'the project'}, skipped: no exact version, or no platform in its name`,
      )
      continue
    }
    packages[placeFor(parent, name)] = { version, ...platform, ...(entry.dev ? { dev: true } : {}), optional: true }
    added++
  }
}

if (added > 0) {
  lock.packages = inNpmsOrder(packages)
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`)
}
console.log(`complete-lock: ${added} platform packages added`)

/** Resolves like Node: in the parent's node_modules, then in those of the folders above. */
function isInstalledFor(parent, name) {
  for (let folder = parent; ; folder = folderAbove(folder)) {
    if (packages[join(folder, name)]) return true
    if (folder === '') return false
  }
}

/** The parent of 'node_modules/a/node_modules/b' is 'node_modules/a', whose parent is the project, ''. */
function folderAbove(folder) {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
}

/** At the top level, unless another version is there already. */
function placeFor(parent, name) {
  const top = join('', name)
  return packages[top] ? join(parent, name) : top
}

function join(folder, name) {
  return `${folder ? `${folder}/` : ''}node_modules/${name}`
}

/** '@esbuild/linux-arm64-musl' is for os linux, cpu arm64, libc musl. @returns undefined if the name contains no processor. */
function platformOf(name) {
  // The longest match wins: 'arm64' contains 'arm'.
  const spelling = Object.keys(processors)
    .toSorted((a, b) => b.length - a.length)
    .find((part) => name.includes(part))
  if (!spelling) return undefined
  const cpu = processors[spelling]
  const os = systems.find((part) => name.includes(part))
  const libc = name.includes('musl') ? 'musl' : name.includes('gnu') ? 'glibc' : undefined
  // WebAssembly runs on any system; wasm32-wasi in a name is not an operating system.
  return { ...(os && cpu !== 'wasm32' ? { os: [os] } : {}), cpu: [cpu], ...(libc ? { libc: [libc] } : {}) }
}

function inNpmsOrder(entries) {
  return Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a === '' ? -1 : b === '' ? 1 : a.localeCompare(b, 'en'))))
}
