import { formatCount } from '../../../ui/format.ts'
import { type ContactTable, patientTableNames } from '../../../kernel/patient-tables/rules.ts'

interface Move {
  kind: ContactTable
  moved: number
  dropped: number
}

const formatRows = (count: number, kind: ContactTable): string =>
  `${formatCount(count)} ${patientTableNames[kind].rows[count === 1 ? 0 : 1]}`

/** '14 timeline entries, 2 tags and 1 lead form'; null if there are none. */
export function formatMoves(moves: readonly Move[], which: 'moved' | 'dropped'): string | null {
  const parts = moves.filter((move) => move[which] > 0).map((move) => formatRows(move[which], move.kind))
  return parts.length === 0 ? null : new Intl.ListFormat('en-CA', { type: 'conjunction' }).format(parts)
}
