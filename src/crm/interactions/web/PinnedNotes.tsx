import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { formatShortDate } from '../../../ui/format.ts'
import { type EntryContext, nameOf, TimelineEntry } from './TimelineEntry.tsx'

/** Notes that everyone who opens this patient should read first. Renders nothing if none are pinned. */
export function PinnedNotes({ contactId, ...context }: EntryContext & { contactId: string }) {
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
            {...context}
            time={formatShortDate(entry.date, context.clock)}
            footnote={pinnedBy(entry, context)}
          />
        ))}
      </ol>
    </section>
  )
}

function pinnedBy({ pinnedAt, pinnedBy }: { pinnedAt: string | null; pinnedBy: string | null }, { people, clock }: EntryContext): string {
  return `Pinned by ${nameOf(pinnedBy, people) || 'staff'}${pinnedAt === null ? '' : `, ${formatShortDate(pinnedAt, clock)}`}`
}
