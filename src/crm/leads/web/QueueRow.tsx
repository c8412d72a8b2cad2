import { Trash2, Undo2, UserPlus } from 'lucide-react'
import type { Client } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { type Clock, formatAgo, formatCount, formatDateTime } from '../../../ui/format.ts'

export type QueuedLead = Awaited<ReturnType<Client['leads']['queue']>>['data'][number]

/** The name of a lead, or else its email. */
export const nameOfLead = ({ lead: { firstName, lastName, email } }: QueuedLead): string =>
  [firstName, lastName].filter(Boolean).join(' ').slice(0, 200) || (email ?? 'Unnamed lead')

const requiredLabels = { firstName: 'first name', lastName: 'last name', email: 'email' } as const

/** What is missing: 'Missing last name and email'. */
function missingText({ lead, errorMessage }: QueuedLead): string {
  const missing = (['firstName', 'lastName', 'email'] as const).filter((field) => !lead[field]).map((field) => requiredLabels[field])
  if (missing.length === 0) return errorMessage ?? 'Failed to process lead'
  return `Missing ${missing.length < 2 ? missing[0] : `${missing.slice(0, -1).join(', ')} and ${missing.at(-1)}`}`
}

/** How many received fields a row shows. */
const previewSize = 4

interface QueueRowProps {
  lead: QueuedLead
  clock: Clock
  onComplete: () => void
  onDiscard: () => void
  onRestore: () => void
}

/** A lead in the queue with its missing and received fields. */
export function QueueRow({ lead, clock, onComplete, onDiscard, onRestore }: QueueRowProps) {
  const name = nameOfLead(lead)
  const more = lead.received.length - previewSize
  return (
    <li
      data-row={lead.id}
      aria-label={name}
      className="flex flex-col gap-x-6 gap-y-2 border-b border-line px-4 py-3 md:px-6 lg:grid lg:grid-cols-[minmax(0,15rem)_minmax(0,1fr)_auto] lg:items-start"
    >
      <div className="min-w-0">
        <p className="text-md font-medium wrap-anywhere text-fg">{name}</p>
        <p className="text-sm text-danger-fg">{missingText(lead)}</p>
        <time dateTime={lead.receivedAt} title={formatDateTime(lead.receivedAt, clock)} className="text-sm text-fg-3 tabular-nums">
          {formatAgo(lead.receivedAt, clock)}
        </time>
      </div>
      <div className="min-w-0 text-sm">
        {lead.received.length === 0 ? (
          <p className="text-fg-3">No fields were received</p>
        ) : (
          <dl className="grid grid-cols-[minmax(0,8rem)_minmax(0,1fr)] gap-x-3 gap-y-0.5">
            {lead.received.slice(0, previewSize).map((field) => (
              <div key={field.name} className="contents">
                <dt className="truncate text-fg-3">{field.name}</dt>
                <dd className="truncate text-fg">{field.value}</dd>
              </div>
            ))}
          </dl>
        )}
        {more > 0 && <p className="pt-0.5 text-fg-3">{`and ${formatCount(more)} more`}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {lead.dismissedAt === null ? (
          <>
            <Button icon={<UserPlus />} aria-label={`Complete lead: ${name}`} onClick={onComplete}>
              Complete
            </Button>
            <Button variant="quiet" icon={<Trash2 />} aria-label={`Discard lead: ${name}`} onClick={onDiscard}>
              Discard
            </Button>
          </>
        ) : (
          <Button icon={<Undo2 />} aria-label={`Restore lead: ${name}`} onClick={onRestore}>
            Restore
          </Button>
        )}
      </div>
    </li>
  )
}
