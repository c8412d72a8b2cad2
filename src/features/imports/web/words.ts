import { formatCount } from '../../../web/ui/format.ts'
import type { ImportLine } from './calls.ts'

export const rows = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`
export const patients = (count: number): string => `${formatCount(count)} ${count === 1 ? 'patient' : 'patients'}`

/** What became of an import, for its line in the list: '2,480 added, 12 filled in, 3 refused'. */
export function outcomeInWords({ status, result, undone, kept }: ImportLine): string {
  switch (status) {
    case 'mapping':
      return 'Not imported yet'
    case 'checking':
      return 'Being checked'
    case 'checked':
      return 'Checked, not imported yet'
    case 'undoing':
      return 'Being undone'
    case 'undone':
      return `Undone${kept > 0 ? `, ${patients(kept)} kept` : ''}`
    case 'running':
      return 'Being imported'
    case 'cancelled':
    case 'done': {
      const parts = [
        `${formatCount(result?.added ?? 0)} added`,
        result?.filled && `${formatCount(result.filled)} filled in`,
        result?.skipped && `${formatCount(result.skipped)} skipped`,
        result?.errors && `${formatCount(result.errors)} refused`,
      ].filter(Boolean)
      const partly = undone > 0 ? `, ${formatCount(undone)} undone` : ''
      return `${status === 'cancelled' ? 'Stopped: ' : ''}${parts.join(', ')}${partly}`
    }
  }
}
