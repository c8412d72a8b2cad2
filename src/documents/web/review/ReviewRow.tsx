import { Link } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { fullName } from '../../../crm/contacts/web/embed/contact-data.ts'
import { PatientIdentity } from '../../../crm/contacts/web/embed/PatientIdentity.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { type Clock, formatAgo, formatDateTime } from '../../../ui/format.ts'
import type { PendingDocument } from '../document-data.ts'
import { KindIcon } from '../KindIcon.tsx'
import { formatKindAndSize } from '../labels.ts'

export const reviewRowId = (id: string) => `review-${id}`

interface ReviewRowProps {
  document: PendingDocument
  clock: Clock
  isCurrent: boolean
  onOpen: () => void
  onAccept: () => void
  onReject: () => void
}

/** A patient upload waiting for review, with the patient and the time it arrived. */
export function ReviewRow({ document, clock, isCurrent, onOpen, onAccept, onReject }: ReviewRowProps) {
  const { id, name, contact, createdAt } = document
  const patient = fullName(contact)
  return (
    <li
      id={reviewRowId(id)}
      tabIndex={-1}
      aria-label={`${name}, from ${patient}`}
      className={cn(
        'scroll-my-12 border-b border-line px-4 py-3 outline-none focus-visible:bg-hover md:px-6',
        'lg:grid lg:grid-cols-[minmax(0,1fr)_14rem_8rem_auto] lg:items-center lg:gap-x-4',
        isCurrent && 'shadow-[inset_2px_0_0_var(--accent)]',
      )}
    >
      <div className="flex min-w-0 items-center gap-3">
        <KindIcon kind={document.mimeType} />
        <div className="min-w-0">
          <button
            type="button"
            onClick={onOpen}
            className="relative rounded-xs text-left text-sm font-medium wrap-anywhere text-fg touch-target hover:underline"
          >
            {name}
          </button>
          <p className="text-xs text-fg-3 tabular-nums">{formatKindAndSize(document)}</p>
        </div>
      </div>
      <p className="min-w-0 truncate text-sm max-lg:pt-1 max-lg:pl-12">
        <Link
          to="/contacts/$id"
          params={{ id: contact.id }}
          search={{ tab: 'documents' }}
          className="relative rounded-xs text-accent-fg touch-target hover:underline"
        >
          {patient}
        </Link>
        <span className="block truncate text-xs text-fg-3">
          <PatientIdentity patient={contact} hidesName />
        </span>
      </p>
      <p className="text-sm text-fg-2 tabular-nums max-lg:pl-12" title={formatDateTime(createdAt, clock)}>
        {formatAgo(createdAt, clock)}
      </p>
      <div className="flex gap-2 max-lg:pt-2 max-lg:pl-12">
        <Button icon={<Check />} aria-label={`Accept ${name}`} onClick={onAccept}>
          Accept
        </Button>
        <Button variant="quiet" icon={<X />} aria-label={`Reject ${name}`} onClick={onReject}>
          Reject…
        </Button>
      </div>
    </li>
  )
}
