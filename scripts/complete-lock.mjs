/**
 * Completes package-lock.json after an install; npm runs it as the `dependencies` script.
 *
 * Native packages (a compiler, a database, an image library) list one optional package per platform. npm writes into the lock only those that
 * the registry at hand can describe, and a mirror may hold only those of this platform. `npm ci` then refuses the lock elsewhere, and even here:
 * "Missing: … from lock file". So for each listed optional package that is absent an entry is added with the version its parent names and
 * the platform in its name. npm finds every edge and, by `os` and `cpu`, skips what is not for the machine it runs on.
 *
 * Plain JavaScript, because it runs while the dependencies are being installed, whatever the Node version.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const lockFile = 'package-lock.json'

/** How package names spell the platforms, next to what npm calls them. */
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
        `complete-lock: ${name}@${version}, wanted by ${parent || 'the project'}, left alone: no exact version, or no platform in its name`,
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

/** Node's own look-up: in the parent's node_modules, then in that of each folder above it. */
function isInstalledFor(parent, name) {
  for (let folder = parent; ; folder = folderAbove(folder)) {
    if (packages[join(folder, name)]) return true
    if (folder === '') return false
  }
}

/** 'node_modules/a/node_modules/b' lies in 'node_modules/a', and that lies in the project, ''. */
function folderAbove(folder) {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
}

/** At the top unless another version has that place already. */
function placeFor(parent, name) {
  const top = join('', name)
  return packages[top] ? join(parent, name) : top
}

function join(folder, name) {
  return `${folder ? `${folder}/` : ''}node_modules/${name}`
}

/** '@esbuild/linux-arm64-musl' is for os linux, cpu arm64, libc musl. @returns undefined when the name contains no processor. */
function platformOf(name) {
  // The longest spelling wins: 'arm64' contains 'arm'.
  const spelling = Object.keys(processors)
    .toSorted((a, b) => b.length - a.length)
    .find((part) => name.includes(part))
  if (!spelling) return undefined
  const cpu = processors[spelling]
  const os = systems.find((part) => name.includes(part))
  const libc = name.includes('musl') ? 'musl' : name.includes('gnu') ? 'glibc' : undefined
  // WebAssembly runs on any system; its packages name one (wasm32-wasi) that is not an operating system.
  return { ...(os && cpu !== 'wasm32' ? { os: [os] } : {}), cpu: [cpu], ...(libc ? { libc: [libc] } : {}) }
}

function inNpmsOrder(entries) {
  return Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a === '' ? -1 : b === '' ? 1 : a.localeCompare(b, 'en'))))
}
