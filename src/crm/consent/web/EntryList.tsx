import type { Person } from '../../../platform/auth/people-contract.ts'
import { type Clock, formatDate, formatDateTime } from '../../../ui/format.ts'
import type { EntryData } from './consent-data.ts'
import { lastDayOf } from './expiry.ts'
import { basisLabels, channelLabels, sourceLabels, withdrawalLabels } from './labels.ts'

/** Consent entries and how they ended, newest first. */
export function EntryList({ entries, clock, people }: { entries: readonly EntryData[]; clock: Clock; people: readonly Person[] }) {
  const nameOf = (id: string | null) => people.find((person) => person.id === id)?.fullName
  return (
    <ol aria-label="Consent history" className="flex flex-col gap-3 pt-2">
      {entries.map((entry) => (
        <li key={entry.id} className="text-sm">
          <span className="text-fg">
            {channelLabels[entry.channel]}: {basisLabels[entry.basis].toLowerCase()}
          </span>
          <span className="block text-xs text-fg-3" title={formatDateTime(entry.givenAt, clock)}>
            {[formatDate(entry.givenAt, clock.timeZone), sourceLabels[entry.source], nameOf(entry.givenBy)].filter(Boolean).join(' · ')}
          </span>
          {entry.wording && <q className="block text-xs wrap-anywhere text-fg-2">{entry.wording}</q>}
          <span className="block text-xs text-fg-3">{endOf(entry, clock, nameOf)}</span>
        </li>
      ))}
    </ol>
  )
}

function endOf(
  { withdrawnAt, withdrawnBy, withdrawalSource, expiresAt }: EntryData,
  clock: Clock,
  nameOf: (id: string | null) => string | undefined,
) {
  if (withdrawnAt !== null) {
    const how = withdrawalSource && withdrawalLabels[withdrawalSource]
    const by = nameOf(withdrawnBy)
    return [`Withdrawn ${formatDate(withdrawnAt, clock.timeZone)}`, how, by && `· ${by}`].filter(Boolean).join(' ')
  }
  if (expiresAt === null) return null
  return `${Date.parse(expiresAt) > new Date(clock.now).getTime() ? 'Until' : 'Ended'} ${lastDayOf(expiresAt, clock)}`
}
