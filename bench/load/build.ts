import { areBuilt, buildIfStale } from '../../scripts/built.ts'
import { progress } from '../report.ts'

/** Builds the screens and the server unless dist/ is up to date. */
export function buildAll(): void {
  if (areBuilt('web', 'server')) return
  progress('Building')
  if (!buildIfStale('web', 'server')) throw new Error('The build failed')
}
