import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ContactData } from '../../../../crm/contacts/web/embed/contact-data.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { formatShortDate } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import type { SentFormData } from '../form-data.ts'

export const ReviewDialog = lazyDialog(
  () => import('../ReviewDialog.tsx'),
  ({ onClose }) => onClose(),
)

const flagsText = (count: number) => (count === 0 ? '' : count === 1 ? ', 1 red flag' : `, ${count} red flags`)

/** In the chart: this patient's submitted forms that no one has reviewed. Nothing without any, and for those who see no answers. */
export function PatientFormsToReview({ patient }: { patient: ContactData }) {
  const clock = useClock()
  const cache = useQueryClient()
  const isAllowed = usePermission()('forms.review')
  const list = useQuery(orpc.forms.ofContact.queryOptions({ input: { contactId: patient.id }, enabled: isAllowed }))
  useLive(['form'], () => void cache.invalidateQueries({ queryKey: orpc.forms.ofContact.key() }), { debounceMs: 300 })
  const [reviewed, setReviewed] = useState<SentFormData | null>(null)
  const waiting = list.data?.filter(({ needsReview }) => needsReview) ?? []
  if (waiting.length === 0 && !reviewed) return null
  return (
    <section aria-label="Needs review">
      <h2 className="flex min-h-10 items-center justify-between border-b border-line text-md font-semibold text-fg">
        Needs review <Badge tone="warning">{waiting.length}</Badge>
      </h2>
      <ul className="divide-y divide-line">
        {waiting.map((form) => (
          <li key={form.id} className="flex items-center gap-3 py-2.5 text-sm">
            <span className="min-w-0 flex-1">
              <span className="block font-medium text-fg">{form.title.en}</span>
              <span className="block text-xs text-fg-3">
                {form.submittedAt && `Submitted ${formatShortDate(form.submittedAt, clock)}`}
                {flagsText(form.redFlagCount ?? 0)}
              </span>
            </span>
            <Button
              size="sm"
              onPointerEnter={ReviewDialog.prepare}
              onClick={() => setReviewed(form)}
              aria-label={`Review ${form.title.en}`}
            >
              Review
            </Button>
          </li>
        ))}
      </ul>
      {reviewed && <ReviewDialog form={reviewed} patient={patient} onClose={() => setReviewed(null)} />}
    </section>
  )
}

const maxShown = 5

/** On the dashboard: the oldest submitted forms that no one has reviewed. */
export function FormsToReview() {
  const clock = useClock()
  const isAllowed = usePermission()('forms.toReview')
  const list = useQuery(orpc.forms.toReview.queryOptions({ enabled: isAllowed }))
  useLive(['form'], () => isAllowed && void list.refetch(), { debounceMs: 2_000 })
  const waiting = list.data ?? []
  if (waiting.length === 0) return null
  return (
    <section aria-label="Forms to review" className="rounded-lg border border-line px-4 py-2">
      <h2 className="flex min-h-9 items-center gap-2 text-title font-semibold">
        Forms to review <Badge tone="warning">{waiting.length}</Badge>
      </h2>
      <ul className="divide-y divide-line">
        {waiting.slice(0, maxShown).map((form) => (
          <li key={form.id}>
            <Link
              to="/contacts/$id"
              params={{ id: form.contactId }}
              search={{ tab: 'forms' }}
              className="-mx-2 flex min-h-11 flex-wrap items-center gap-x-3 rounded-sm px-2 py-1.5 text-sm outline-offset-[-2px] hover:bg-hover"
            >
              <span className="font-medium text-fg">{`${form.firstName} ${form.lastName}`}</span>
              <span className="min-w-0 flex-1 text-fg-2">
                {form.title.en}
                {flagsText(form.redFlagCount)}
              </span>
              <span className="text-xs text-fg-3 tabular-nums">{formatShortDate(form.submittedAt, clock)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
