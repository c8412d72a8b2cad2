/**
 * Checks that every package has its peer dependencies in a matching version. .npmrc makes npm ignore peers when it installs
 * (docs/decisions/install-size.md), so npm checks them here. Optional peers may be missing, but not have a wrong version.
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
console.log('All peer dependencies match')
