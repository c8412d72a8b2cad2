import { formatCount } from '../../../ui/format.ts'
import { type ContactTable, patientTableNames } from '../../../kernel/patient-tables/rules.ts'

interface Move {
  kind: ContactTable
  moved: number
  dropped: number
}

const count = (number: number, kind: ContactTable): string => `${formatCount(number)} ${patientTableNames[kind].rows[number === 1 ? 0 : 1]}`

/** '14 timeline entries, 2 tags and 1 lead form'; null when there is nothing. */
export function formatMoves(moves: readonly Move[], which: 'moved' | 'dropped'): string | null {
  const some = moves.filter((move) => move[which] > 0).map((move) => count(move[which], move.kind))
  return some.length === 0 ? null : new Intl.ListFormat('en-CA', { type: 'conjunction' }).format(some)
}
