/**
 * Has every package the peers that it asks for, in a version that suits it? npm is asked about the lockfile as if .npmrc did not tell it to leave
 * peers alone (docs/decisions/install-size.md). Optional peers may be absent, but not of another version.
 */
import { spawnSync } from 'node:child_process'

const { status, stderr, error } = spawnSync('npm', ['ls', '--all', '--package-lock-only', '--legacy-peer-deps=false'], {
  encoding: 'utf8',
  maxBuffer: 256 * 1024 * 1024,
  shell: process.platform === 'win32',
})
if (status !== 0) {
  console.error(error?.message ?? stderr)
  process.exit(1)
}
console.log('every peer fits')
