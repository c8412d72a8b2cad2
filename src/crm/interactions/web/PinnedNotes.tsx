import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { formatShortDate } from '../../../ui/format.ts'
import { type Around, nameOf, TimelineEntry } from './TimelineEntry.tsx'

/** What everyone who opens this patient should read first. Nothing appears here while there is none. */
export function PinnedNotes({ contactId, ...around }: Around & { contactId: string }) {
  const { data, error } = useQuery(orpc.interactions.pinned.queryOptions({ input: { contactId } }))
  if (error) return <p className="pt-5 text-sm text-danger-fg">Couldn’t load pinned notes.</p>
  if (!data || data.length === 0) return null
  return (
    <section aria-label="Pinned notes" className="border-b border-line pt-5">
      <h2 className="pb-2 pl-10 text-xs font-medium tracking-normal text-fg-3">Pinned</h2>
      <ol>
        {data.map((entry) => (
          <TimelineEntry
            key={entry.id}
            entry={entry}
            {...around}
            time={formatShortDate(entry.date, around.clock)}
            footnote={pinnedBy(entry, around)}
          />
        ))}
      </ol>
    </section>
  )
}

function pinnedBy({ pinnedAt, pinnedBy }: { pinnedAt: string | null; pinnedBy: string | null }, { people, clock }: Around): string {
  return `Pinned by ${nameOf(pinnedBy, people) || 'staff'}${pinnedAt === null ? '' : `, ${formatShortDate(pinnedAt, clock)}`}`
}
