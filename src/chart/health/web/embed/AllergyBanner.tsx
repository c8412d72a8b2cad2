import { ChevronDown, CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { cn } from '../../../../ui/cn.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { formatShortDate } from '../../../../ui/format.ts'
import { usePhone } from '../../../../ui/hooks/useMedia.ts'
import { activeOf, allergyState, bySameName } from '../../rules.ts'
import type { HealthData } from '../health-data.ts'
import { formatAllergies } from '../labels.ts'
import { useHealth } from '../useHealth.ts'
import { useReviewer } from '../useReviewer.ts'

const tones = {
  danger: 'border-danger-line bg-danger-soft text-danger-fg',
  warning: 'border-warning-line bg-warning-soft text-warning-fg',
  neutral: 'border-line bg-subtle text-fg-2',
}

interface AllergyBannerProps {
  contactId: string
  /** Inside a dialog or drawer, instead of below the tabs. */
  isInset?: boolean
  /** Alerts that are shown elsewhere in sight. */
  without?: readonly string[]
}

/** A patient's allergies and alerts, wherever someone decides about their care. Nothing for roles that may not see them. */
export function AllergyBanner({ contactId, isInset = false, without = [] }: AllergyBannerProps) {
  const { health, isAllowed } = useHealth(contactId)
  const frame = isInset ? 'rounded-md border' : 'border-b'
  if (!isAllowed) return null
  if (health.data) return <Banner key={contactId} health={health.data} isInset={isInset} frame={frame} without={without} />
  return (
    <div
      className={cn(
        'flex min-h-12 items-center gap-3 px-4 py-2 text-sm',
        !isInset && 'md:px-6',
        frame,
        health.error ? tones.warning : 'border-line',
      )}
    >
      {health.error ? (
        <>
          <TriangleAlert aria-hidden="true" className="flex-none" />
          <span role="alert" className="flex-1">
            Couldn’t load the allergies. Ask the patient.
          </span>
          <Button size="sm" busy={health.isFetching} busyLabel="Trying…" onClick={() => void health.refetch()}>
            Try again
          </Button>
        </>
      ) : (
        <span role="status" aria-label="Loading allergies" className="w-full">
          <Skeleton className="w-64 max-w-full" />
        </span>
      )}
    </div>
  )
}

interface BannerProps {
  health: HealthData
  isInset: boolean
  frame: string
  without: readonly string[]
}

function Banner({ health, isInset, frame, without }: BannerProps) {
  const clock = useClock()
  const nameOf = useReviewer()
  const phone = usePhone()
  const [isOpen, setOpen] = useState(false)
  const review = health.reviews.find(({ section }) => section === 'allergies')
  const state = allergyState(health.entries, review)
  const alerts = activeOf(health.entries, 'alert').filter(({ name }) => !without.some((one) => bySameName(one, name)))
  const tone = state === 'listed' || alerts.length > 0 ? 'danger' : state === 'none_known' ? 'neutral' : 'warning'
  const Icon = tone === 'neutral' ? CircleCheck : TriangleAlert
  const reviewed = review && `Last reviewed ${formatShortDate(review.reviewedAt, clock)} by ${nameOf(review.reviewedBy)}`
  const facts = (
    <>
      <span>
        {state === 'listed' ? (
          <>
            <strong className="font-semibold">Allergies:</strong> {formatAllergies(health.entries)}
          </>
        ) : state === 'none_known' ? (
          'No known allergies'
        ) : (
          `Allergies ${review ? 'not reviewed since the last change' : 'not recorded yet'}`
        )}
      </span>
      {alerts.length > 0 && (
        <span>
          <strong className="font-semibold">{alerts.length === 1 ? 'Alert:' : 'Alerts:'}</strong>{' '}
          {alerts.map(({ name }) => name).join(' · ')}
        </span>
      )}
    </>
  )
  const className = cn('flex min-h-12 w-full items-start gap-3 px-4 py-3.5 text-left text-sm', !isInset && 'md:px-6', tones[tone], frame)
  const icon = <Icon aria-hidden="true" className="mt-0.5 flex-none" />
  return (
    <section aria-label="Allergies and alerts">
      {phone ? (
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className={cn(className, 'outline-offset-[-2px]')}>
          {icon}
          <span className={cn('min-w-0 flex-1', isOpen ? 'flex flex-col gap-1 wrap-anywhere' : 'truncate *:pr-3')}>
            {facts}
            {isOpen && <span>{reviewed}</span>}
          </span>
          <ChevronDown aria-hidden="true" className={cn('mt-0.5 flex-none', isOpen && 'rotate-180')} />
        </button>
      ) : (
        <div className={className}>
          {icon}
          <span className="flex min-w-0 flex-1 flex-wrap gap-x-5 gap-y-1 wrap-anywhere">
            {facts}
            {reviewed && <span className={isInset ? undefined : 'ml-auto'}>{reviewed}</span>}
          </span>
        </div>
      )}
    </section>
  )
}
